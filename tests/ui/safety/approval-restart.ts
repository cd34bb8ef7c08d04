import { expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { UiHarness } from "../../support/ui/ui-harness.ts";
import { runCommand } from "../../support/ui/tool-replies.ts";
import { askFirst, openAsking } from "./approvals.harness.ts";

export function describeRestart(ui: () => UiHarness, restart: () => Promise<void>): void {
  it("keeps an approval across a server restart, and says that the server is away", async () => {
    const app = await openAsking(ui());
    const { answer, card } = await askFirst(ui(), app, runCommand("echo afterwards"), say("Done."));
    const restarted = restart();
    await app.page.getByText("The server is not responding.").waitFor();
    await restarted;
    await app.page.getByText("The server is not responding.").waitFor({ state: "detached" });
    expect(await card.locator("pre").innerText()).toBe("echo afterwards");
    await card.getByRole("button", { name: "Allow once" }).click();
    await answer.getByText("afterwards", { exact: true }).waitFor();
    await answer.getByText("Done.").waitFor();
  });
}
