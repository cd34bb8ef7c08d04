import { describe, expect, it, onTestFinished } from "vitest";
import { echo, makeHarness, untilStopped } from "./threads.harness.ts";

const never = new AbortController().signal;

describe("removing a thread", () => {
  it("while it runs ends the run, the queue, its followers and all it had", async () => {
    const harness = await makeHarness(onTestFinished, untilStopped);
    const threadId = await harness.newThread();
    const hash = harness.store.blobs.put(threadId, Buffer.from("image"));
    const { messageId } = await harness.runner.submit(threadId, { text: "one" });
    await harness.waitFor(threadId, "token");
    const waiting = await harness.runner.submit(threadId, { text: "two" });
    const queued = harness.runner
      .waitForDone(threadId, waiting.messageId, never)
      .catch((error: unknown) => error);
    const running = harness.runner.waitForDone(threadId, messageId, never);
    const followed = (async () => {
      const types: string[] = [];
      for await (const event of harness.store.log.follow(threadId, { after: 0, signal: never }))
        types.push(event.type);
      return types;
    })();

    const removals = await Promise.all([harness.runner.remove(threadId), harness.runner.remove(threadId)]);
    expect(removals).toEqual([true, true]);
    expect(await running).toMatchObject({ status: "stopped" });
    expect(await queued).toMatchObject({ code: "not_found" });
    expect((await followed).slice(0, 2)).toEqual(["message", "run_started"]);
    expect(harness.store.threads.get(threadId)).toBeUndefined();
    expect(harness.store.blobs.stat(threadId, hash)).toBeUndefined();
    expect(harness.sandboxes.calls.at(-1)).toBe(`remove ${threadId}`);
    expect(harness.store.log.read(threadId)).toEqual([]);
    await expect(harness.runner.submit(threadId, { text: "x" })).rejects.toMatchObject({ code: "not_found" });
    expect(await harness.runner.remove(threadId)).toBe(false);
    expect(harness.faults).toEqual([]);
  });

  it("waits for a sandbox that is being made, so that none is left behind", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const gate = Promise.withResolvers<void>();
    harness.sandboxes.gate = gate.promise;
    const threadId = await harness.newThread();
    const prepared = harness.runner.prepare(threadId);
    const removed = harness.runner.remove(threadId);
    gate.resolve();
    expect(await removed).toBe(true);
    await prepared;
    const ofSandbox = harness.sandboxes.calls.filter((call) => !call.startsWith("load"));
    expect(ofSandbox).toEqual([`wake ${threadId}`, `remove ${threadId}`]);
    await expect(harness.runner.openSandbox(threadId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("goes on when the sandbox cannot be removed, and says so", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    harness.sandboxes.remove = () => Promise.reject(new Error("no runtime"));
    expect(await harness.runner.remove(threadId)).toBe(true);
    expect(harness.store.threads.get(threadId)).toBeUndefined();
    expect(harness.faults).toMatchObject([{ threadId, error: { message: "no runtime" } }]);
  });
});
