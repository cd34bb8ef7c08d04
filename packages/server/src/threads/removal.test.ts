import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeBench, untilStopped } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("removing a thread", () => {
  it("while it runs ends the run, the queue, its followers and all it had", async () => {
    const bench = await makeBench(onTestFinished, untilStopped);
    const threadId = await bench.newThread();
    const hash = bench.store.blobs.put(threadId, Buffer.from("image"));
    const { messageId } = await bench.runner.submit(threadId, { text: "one" });
    await bench.waitFor(threadId, "token");
    const waiting = await bench.runner.submit(threadId, { text: "two" });
    const queued = bench.runner
      .waitForDone(threadId, waiting.messageId, never)
      .catch((error: unknown) => error);
    const running = bench.runner.waitForDone(threadId, messageId, never);
    const followed = (async () => {
      const types: string[] = [];
      for await (const event of bench.store.log.follow(threadId, { after: 0, signal: never }))
        types.push(event.type);
      return types;
    })();

    const removals = await Promise.all([bench.runner.remove(threadId), bench.runner.remove(threadId)]);
    expect(removals).toEqual([true, true]);
    expect(await running).toMatchObject({ status: "stopped" });
    expect(await queued).toMatchObject({ code: "not_found" });
    expect((await followed).slice(0, 2)).toEqual(["message", "run_started"]);
    expect(bench.store.threads.get(threadId)).toBeUndefined();
    expect(bench.store.blobs.stat(threadId, hash)).toBeUndefined();
    expect(bench.sandboxes.calls.at(-1)).toBe(`remove ${threadId}`);
    expect(bench.store.log.read(threadId)).toEqual([]);
    await expect(bench.runner.submit(threadId, { text: "x" })).rejects.toMatchObject({ code: "not_found" });
    expect(await bench.runner.remove(threadId)).toBe(false);
    expect(bench.faults).toEqual([]);
  });

  it("waits for a sandbox that is being made, so that none is left behind", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const gate = Promise.withResolvers<void>();
    bench.sandboxes.gate = gate.promise;
    const threadId = await bench.newThread();
    const prepared = bench.runner.prepare(threadId);
    const removed = bench.runner.remove(threadId);
    gate.resolve();
    expect(await removed).toBe(true);
    await prepared;
    const ofSandbox = bench.sandboxes.calls.filter((call) => !call.startsWith("load"));
    expect(ofSandbox).toEqual([`wake ${threadId}`, `remove ${threadId}`]);
    await expect(bench.runner.openSandbox(threadId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("goes on when the sandbox cannot be removed, and says so", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    bench.sandboxes.remove = () => Promise.reject(new Error("no runtime"));
    expect(await bench.runner.remove(threadId)).toBe(true);
    expect(bench.store.threads.get(threadId)).toBeUndefined();
    expect(bench.faults).toMatchObject([{ threadId, error: { message: "no runtime" } }]);
  });
});
