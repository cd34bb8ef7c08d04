import { afterAll, beforeAll, expect, it } from "vitest";
import { missingChromium } from "../support/chromium.ts";
import { describeIf } from "../support/requirements.ts";
import { Stage } from "../support/ui/stage.ts";
import { ThreadState } from "../support/ui/thread-state.ts";

describeIf({ suite: "temporary threads at the page", missing: missingChromium, isRequired: true }, () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.set({ SESSION_LEAVE_S: "10" });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("are begun beside others, survive a reload, and go when their page does", async () => {
    const desk = await stage.open();
    const lasting = desk.threadId;
    await desk.page.getByRole("button", { name: "New temporary thread" }).click();
    const note = desk.page.getByRole("note");
    await note.getByText("Temporary: it is removed when you close the page, or after 10 min").waitFor();
    await expect.poll(() => desk.threadId).not.toBe(lasting);
    const id = desk.threadId;
    await desk.ask("How many rows are there?");
    await desk.page.getByText("6,218").last().waitFor();
    const { threads } = (await stage.request("GET", "/threads")) as { threads: { thread_id: string }[] };
    expect(threads.map(({ thread_id: each }) => each)).not.toContain(id);

    await desk.page.reload();
    await desk.page.getByText("6,218").last().waitFor();
    const described = (await stage.request("GET", `/thread/${id}`)) as { temporary: { expires_at: string } };
    expect(Date.parse(described.temporary.expires_at)).toBeGreaterThan(Date.now() + 60_000);

    await desk.page.goto("about:blank");
    const state = new ThreadState(stage, id);
    await expect.poll(() => state.status(), { interval: 500 }).toBe(404);
    await desk.page.goto(`${stage.server.url}/ui#/thread/${id}`);
    await desk.page.getByText("This thread is not there any more.").waitFor();
  });

  it("are ended by hand, in Chinese too", async () => {
    const desk = await stage.open({ language: "zh", path: "/ui#/temporary" });
    const note = desk.page.getByRole("note");
    await note.getByText("临时对话").waitFor();
    const id = desk.threadId;
    await note.getByRole("button", { name: "立即结束" }).click();
    await note.waitFor({ state: "detached" });
    expect(await new ThreadState(stage, id).status()).toBe(404);
    await expect.poll(() => desk.threadId).not.toBe(id);
    // What the page had just asked of the thread finds it gone.
    expect(desk.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
  });
});
