import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeHarness, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("a thread that another server has taken", () => {
  it("is let go in the middle of a run: nothing more is written, and who waits is told", async () => {
    const stopped = Promise.withResolvers<void>();
    const harness = await makeHarness(onTestFinished, async ({ emit, signal }) => {
      emit({ type: "token", text: "before" });
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      emit({ type: "token", text: "after" });
      stopped.resolve();
      return outcome("beforeafter");
    });
    const threadId = await harness.newThread();
    const first = await harness.runner.submit(threadId, { text: "one" });
    const second = await harness.runner.submit(threadId, { text: "two" });
    await harness.waitFor(threadId, "token");
    const waiting = [first, second].map(({ messageId }) =>
      expect(harness.runner.waitForDone(threadId, messageId, never)).rejects.toMatchObject({
        code: "aborted",
        message: expect.stringContaining("keeps the message and answers it"),
      }),
    );
    expect(harness.runner.isIdle(threadId)).toBe(false);
    const before = harness.types(threadId);
    await harness.runner.letGo(threadId);
    await Promise.all([...waiting, stopped.promise]);
    expect(harness.types(threadId)).toEqual(before);
    expect(harness.runner.activity(threadId)).toEqual({ queued: [], approvals: [] });
    expect(harness.runner.isIdle(threadId)).toBe(true);
    expect(harness.faults.map(({ message }) => message)).toEqual([]);
  });

  it("can come back: its run is closed as interrupted, once, and what waited is answered", async () => {
    let isFirst = true;
    const harness = await makeHarness(
      onTestFinished,
      async (request) => {
        if (!isFirst) return echo(request);
        isFirst = false;
        request.emit({ type: "token", text: "before" });
        return new Promise(() => {});
      },
      { limits: { abandonedMs: 50 } },
    );
    const threadId = await harness.newThread();
    await harness.runner.submit(threadId, { text: "one" });
    const { messageId } = await harness.runner.submit(threadId, { text: "two" });
    await harness.waitFor(threadId, "token");
    await harness.runner.letGo(threadId);
    await harness.runner.recover(threadId);
    expect(await harness.runner.waitForDone(threadId, messageId, never)).toMatchObject({
      status: "completed",
    });
    const done = harness.store.log.read(threadId, { types: ["done"] });
    expect(done.map((event) => event.type === "done" && event.status)).toEqual(["interrupted", "completed"]);
  });
});
