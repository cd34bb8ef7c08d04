import { expect, it } from "vitest";
import { answer as say } from "../../support/scripted-openai/index.ts";
import type { Stage } from "../../support/ui/stage.ts";
import { runCommand } from "../../support/ui/tool-replies.ts";
import { askFirst, openAsking } from "./approval-desk.ts";

export function describeRestart(stage: () => Stage, restart: () => Promise<void>): void {
  it("a question survives the server: the page says that it is away, comes back, and is answered", async () => {
    const desk = await openAsking(stage());
    const { answer, card } = await askFirst(stage(), desk, runCommand("echo afterwards"), say("Done."));
    const restarted = restart();
    await desk.page.getByText("The server does not answer.").waitFor();
    await restarted;
    await desk.page.getByText("The server does not answer.").waitFor({ state: "detached" });
    expect(await card.locator("pre").innerText()).toBe("echo afterwards");
    await card.getByRole("button", { name: "Allow once" }).click();
    await answer.getByText("afterwards", { exact: true }).waitFor();
    await answer.getByText("Done.").waitFor();
  });
}
