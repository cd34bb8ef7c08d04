import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeBench, outcome } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("a thread that another server has taken", () => {
  it("is let go in the middle of a run: nothing more is written, and who waits is told", async () => {
    const stopped = Promise.withResolvers<void>();
    const bench = await makeBench(onTestFinished, async ({ emit, signal }) => {
      emit({ type: "token", text: "before" });
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      emit({ type: "token", text: "after" });
      stopped.resolve();
      return outcome("beforeafter");
    });
    const threadId = await bench.newThread();
    const first = await bench.runner.submit(threadId, { text: "one" });
    const second = await bench.runner.submit(threadId, { text: "two" });
    await bench.waitFor(threadId, "token");
    const waiting = [first, second].map(({ messageId }) =>
      expect(bench.runner.waitForDone(threadId, messageId, never)).rejects.toMatchObject({
        code: "aborted",
        message: expect.stringContaining("is answered there"),
      }),
    );
    expect(bench.runner.isIdle(threadId)).toBe(false);
    const before = bench.types(threadId);
    await bench.runner.letGo(threadId);
    await Promise.all([...waiting, stopped.promise]);
    expect(bench.types(threadId)).toEqual(before);
    expect(bench.runner.activity(threadId)).toEqual({ queued: [], approvals: [] });
    expect(bench.runner.isIdle(threadId)).toBe(true);
    expect(bench.faults.map(({ message }) => message)).toEqual([]);
  });

  it("can come back: its run is closed as interrupted, once, and what waited is answered", async () => {
    let isFirst = true;
    const bench = await makeBench(
      onTestFinished,
      async (request) => {
        if (!isFirst) return echo(request);
        isFirst = false;
        request.emit({ type: "token", text: "before" });
        return new Promise(() => {});
      },
      { limits: { abandonedMs: 50 } },
    );
    const threadId = await bench.newThread();
    await bench.runner.submit(threadId, { text: "one" });
    const { messageId } = await bench.runner.submit(threadId, { text: "two" });
    await bench.waitFor(threadId, "token");
    await bench.runner.letGo(threadId);
    await bench.runner.recover(threadId);
    expect(await bench.runner.waitForDone(threadId, messageId, never)).toMatchObject({ status: "completed" });
    const done = bench.store.log.read(threadId, { types: ["done"] });
    expect(done.map((event) => event.type === "done" && event.status)).toEqual(["interrupted", "completed"]);
  });
});
