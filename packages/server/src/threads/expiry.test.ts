import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeDataDir } from "../store/temporary-store.harness.ts";
import { echo, makeBench, outcome, untilStopped } from "./threads.harness.ts";

const dayMs = 86_400_000;

describe("a thread that was not used for long", () => {
  it("goes to the trash with all it has, and its sandbox's next alarm leaves it there", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    const log = bench.store.log.read(threadId);
    expect(await bench.runner.expire(threadId, 0)).toBeUndefined();
    expect(bench.store.threads.get(threadId)).toBeUndefined();
    expect(await bench.runner.expire(threadId, 0)).toBeUndefined();
    expect(bench.sandboxes.calls).toContain(`rest ${threadId}`);
    expect(bench.sandboxes.calls).not.toContain(`remove ${threadId}`);
    expect(await bench.runner.restore(threadId)).toBe(true);
    expect(bench.store.log.read(threadId)).toEqual(log);
    expect((await bench.ask(threadId, "two")).status).toBe("completed");
  });

  it("is removed at once where there is no trash", async () => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    expect(await bench.runner.expire(threadId, 0, { isFinal: true })).toBeUndefined();
    expect(bench.sandboxes.calls).toContain(`remove ${threadId}`);
    expect(await bench.runner.restore(threadId)).toBe(false);
  });

  it.each([
    ["ahead", 40 * dayMs],
    ["back", -40 * dayMs],
  ])("stays when only the clock on the wall says so, which was set %s", async (_, byMs) => {
    const bench = await makeBench(onTestFinished, echo);
    const threadId = await bench.newThread();
    await bench.ask(threadId, "one");
    const now = Date.now.bind(Date);
    const jumped = vi.spyOn(Date, "now").mockImplementation(() => now() + byMs);
    onTestFinished(() => jumped.mockRestore());
    const again = await bench.runner.expire(threadId, 30 * dayMs);
    expect(bench.store.threads.get(threadId)).toBeDefined();
    // Nearly all of the 30 days from now on, by the clock that set off the alarm.
    expect((again as { againAtMs: number }).againAtMs - Date.now()).toBeGreaterThan(29 * dayMs);
  });

  it("stays for an hour after a stop of 40 days, however old it was", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const before = await makeBench(onTestFinished, echo, { dataDir });
    const threadId = await before.newThread();
    await before.store.ages.advance();
    await before.runner.close();
    await before.store.close();
    const now = Date.now.bind(Date);
    const later = vi.spyOn(Date, "now").mockImplementation(() => now() + 40 * dayMs);
    onTestFinished(() => later.mockRestore());
    const bench = await makeBench(onTestFinished, echo, { dataDir });
    expect(await bench.runner.expire(threadId, 0)).toEqual({ againAtMs: expect.any(Number) });
    expect(await bench.runner.expire(threadId, 2 * dayMs)).toEqual({ againAtMs: expect.any(Number) });
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
