import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { TestThread, openPanel } from "../support/ui/test-thread.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";

describeIf({ suite: "an idle sandbox", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start({ ATOLL_WARM_AFTER_S: "1", ATOLL_COLD_AFTER_S: "600" });
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it("becomes warm even while its page is open, and wakes with its variables", async () => {
    const thread = await TestThread.start(ui);
    await thread.run("kept = 42; open('notes.txt', 'w').close()");
    // Opening the page reads its files, which wakes it.
    const { app, panel: files } = await thread.open("Files");
    await files.getByText("notes.txt").waitFor();
    const panel = await openPanel(app, "Sandbox");
    await expect
      .poll(async () => (await thread.client.threads.status(thread.id)).sandbox_status)
      .toBe("warm");
    // Until the next poll the page may show the old state.
    const look = await app.page.waitForRequest(/\/status$/);
    await (await look.response())?.finished();
    const badge = (state: string) => app.page.getByRole("button", { name: new RegExp(`^Sandbox: ${state}`) });
    await badge("warm").waitFor();
    await panel.getByText("Frozen in memory. It wakes within milliseconds when you use it.").waitFor();
    await panel.getByRole("button", { name: "Wake" }).click();
    await badge("hot").waitFor();
    await badge("warm").waitFor();
    await panel.getByText(/Waking takes about [\d.]+ (ms|s)\./).waitFor();
    await thread.run("assert kept == 42");
    expect(app.problems).toEqual([]);
  });
});
