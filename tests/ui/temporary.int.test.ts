import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { UiHarness } from "../support/ui/ui-harness.ts";
import { ThreadState } from "../support/ui/thread-state.ts";

describeIf({ suite: "temporary threads in the page", missing: missingChromium, isRequired: true }, () => {
  let ui: UiHarness;
  beforeAll(async () => {
    ui = await UiHarness.start({ SESSION_LEAVE_S: "10" });
  });
  afterAll(() => ui[Symbol.asyncDispose]());

  it("keeps a temporary thread across a reload, and deletes it when its page closes", async () => {
    const app = await ui.open();
    const lasting = app.threadId;
    await app.page.getByRole("button", { name: "New temporary thread" }).click();
    const note = app.page.getByRole("note");
    await note.getByText("Temporary thread: deleted when you close the page, or after 10 min").waitFor();
    await expect.poll(() => app.threadId).not.toBe(lasting);
    const id = app.threadId;
    await app.ask("How many rows are there?");
    await app.page.getByText("6,218").last().waitFor();
    const { threads } = (await ui.request("GET", "/threads")) as { threads: { thread_id: string }[] };
    expect(threads.map(({ thread_id: each }) => each)).not.toContain(id);

    await app.page.reload();
    await app.page.getByText("6,218").last().waitFor();
    const described = (await ui.request("GET", `/thread/${id}`)) as { temporary: { expires_at: string } };
    expect(Date.parse(described.temporary.expires_at)).toBeGreaterThan(Date.now() + 60_000);

    await app.page.goto("about:blank");
    const state = new ThreadState(ui, id);
    await expect.poll(() => state.status(), { interval: 500 }).toBe(404);
    await app.page.goto(`${ui.server.url}/ui#/thread/${id}`);
    await app.page.getByText("This thread no longer exists.").waitFor();
  });

  it("ends a temporary thread on request, in Chinese too", async () => {
    const app = await ui.open({ language: "zh", path: "/ui#/temporary" });
    const note = app.page.getByRole("note");
    await note.getByText("临时对话").waitFor();
    const id = app.threadId;
    await note.getByRole("button", { name: "立即结束" }).click();
    await note.waitFor({ state: "detached" });
    expect(await new ThreadState(ui, id).status()).toBe(404);
    await expect.poll(() => app.threadId).not.toBe(id);
    // Requests that the page had just sent find the thread gone.
    expect(app.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
  });
});
