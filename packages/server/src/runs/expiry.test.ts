import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeBench, outcome, untilStopped } from "./testing/bench.ts";

describe("a thread that was not used for long", () => {
  it("is removed with all it has", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    expect(await bench.runner.expire(threadId, 0)).toBeUndefined();
    expect(bench.store.threads.get(threadId)).toBeUndefined();
    expect(bench.sandboxes.calls).toContain(`remove ${threadId}`);
  });

  it("stays when its last message is not as old as its sandbox's last use", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    const { at } = await bench.ask(threadId, "one");
    expect(await bench.runner.expire(threadId, 3_600_000)).toEqual({ againAtMs: Date.parse(at) + 3_600_000 });
    expect(bench.store.threads.get(threadId)).toBeDefined();
  });

  it("stays while it answers, while a message waits and while somebody reads it", async () => {
    const bench = await makeBench(onTestFinished, untilStopped);
    const threadId = await bench.newThread();
    const answer = bench.ask(threadId, "wait");
    await expect.poll(() => bench.runner.activity(threadId).runId).toBeDefined();
    expect(await bench.runner.expire(threadId, 0)).toEqual({ againAtMs: expect.any(Number) });
    await bench.runner.stop(threadId);
    await answer;
    const reader = new AbortController();
    const followed = bench.store.log.follow(threadId, { after: 0, signal: reader.signal });
    const events = followed[Symbol.asyncIterator]();
    await events.next();
    expect(await bench.runner.expire(threadId, 0)).toEqual({ againAtMs: expect.any(Number) });
    reader.abort();
    await events.return?.();
    expect(await bench.runner.expire(threadId, 0)).toBeUndefined();
    expect(bench.store.threads.get(threadId)).toBeUndefined();
  });

  it("that is not there has its sandbox removed", async () => {
    const bench = await makeBench(onTestFinished, async () => outcome(""));
    await bench.runner.expire("thread_gone", 0);
    expect(bench.sandboxes.calls).toEqual(["remove thread_gone"]);
  });
});
