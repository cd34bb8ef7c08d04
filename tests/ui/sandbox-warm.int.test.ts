import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { DeskThread, openPanel } from "../support/ui/desk-thread.ts";
import { Stage } from "../support/ui/stage.ts";

describeIf({ suite: "a sandbox that nobody uses", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.set({ ATOLL_WARM_AFTER_S: "1", ATOLL_COLD_AFTER_S: "600" });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("is shown as warm, also while somebody looks at it, and wakes with what it had", async () => {
    const thread = await DeskThread.start(stage);
    await thread.run("kept = 42; open('notes.txt', 'w').close()");
    // Its files are read when the page opens, which wakes it.
    const { desk, panel: files } = await thread.open("Files");
    await files.getByText("notes.txt").waitFor();
    const panel = await openPanel(desk, "Sandbox");
    await expect
      .poll(async () => (await thread.client.threads.status(thread.id)).sandbox_status)
      .toBe("warm");
    // Until the page has looked again, it may show the state before.
    const look = await desk.page.waitForRequest(/\/status$/);
    await (await look.response())?.finished();
    const badge = (state: string) =>
      desk.page.getByRole("button", { name: new RegExp(`^Sandbox: ${state}`) });
    await badge("warm").waitFor();
    await panel.getByText("Frozen in memory: the next use wakes it within milliseconds.").waitFor();
    await panel.getByRole("button", { name: "Wake" }).click();
    await badge("hot").waitFor();
    await badge("warm").waitFor();
    await panel.getByText(/A wake takes about [\d.]+ (ms|s)\./).waitFor();
    await thread.run("assert kept == 42");
    expect(desk.problems).toEqual([]);
  });
});
