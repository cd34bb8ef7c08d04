import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeDataDir } from "../store/temporary-store.harness.ts";
import { echo, makeHarness, outcome, untilStopped } from "./threads.harness.ts";

const dayMs = 86_400_000;

describe("a thread that was not used for long", () => {
  it("goes to the trash with all it has, and its sandbox's next alarm leaves it there", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    await harness.ask(threadId, "one");
    const log = harness.store.log.read(threadId);
    expect(await harness.runner.expire(threadId, 0)).toBeUndefined();
    expect(harness.store.threads.get(threadId)).toBeUndefined();
    expect(await harness.runner.expire(threadId, 0)).toBeUndefined();
    expect(harness.sandboxes.calls).toContain(`rest ${threadId}`);
    expect(harness.sandboxes.calls).not.toContain(`remove ${threadId}`);
    expect(await harness.runner.restore(threadId)).toBe(true);
    expect(harness.store.log.read(threadId)).toEqual(log);
    expect((await harness.ask(threadId, "two")).status).toBe("completed");
  });

  it("is removed at once where there is no trash", async () => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    expect(await harness.runner.expire(threadId, 0, { isFinal: true })).toBeUndefined();
    expect(harness.sandboxes.calls).toContain(`remove ${threadId}`);
    expect(await harness.runner.restore(threadId)).toBe(false);
  });

  it.each([
    ["ahead", 40 * dayMs],
    ["back", -40 * dayMs],
  ])("stays when only the clock on the wall says so, which was set %s", async (_, byMs) => {
    const harness = await makeHarness(onTestFinished, echo);
    const threadId = await harness.newThread();
    await harness.ask(threadId, "one");
    const now = Date.now.bind(Date);
    const jumped = vi.spyOn(Date, "now").mockImplementation(() => now() + byMs);
    onTestFinished(() => jumped.mockRestore());
    const again = await harness.runner.expire(threadId, 30 * dayMs);
    expect(harness.store.threads.get(threadId)).toBeDefined();
    // Nearly all of the 30 days from now on, by the clock that set off the alarm.
    expect((again as { againAtMs: number }).againAtMs - Date.now()).toBeGreaterThan(29 * dayMs);
  });

  it("stays for an hour after a stop of 40 days, however old it was", async () => {
    const dataDir = await makeDataDir(onTestFinished);
    const before = await makeHarness(onTestFinished, echo, { dataDir });
    const threadId = await before.newThread();
    await before.store.ages.advance();
    await before.runner.close();
    await before.store.close();
    const now = Date.now.bind(Date);
    const later = vi.spyOn(Date, "now").mockImplementation(() => now() + 40 * dayMs);
    onTestFinished(() => later.mockRestore());
    const harness = await makeHarness(onTestFinished, echo, { dataDir });
    expect(await harness.runner.expire(threadId, 0)).toEqual({ againAtMs: expect.any(Number) });
    expect(await harness.runner.expire(threadId, 2 * dayMs)).toEqual({ againAtMs: expect.any(Number) });
    expect(harness.store.threads.get(threadId)).toBeDefined();
  });

  it("stays while it answers, while a message waits and while somebody reads it", async () => {
    const harness = await makeHarness(onTestFinished, untilStopped);
    const threadId = await harness.newThread();
    const answer = harness.ask(threadId, "wait");
    await expect.poll(() => harness.runner.activity(threadId).runId).toBeDefined();
    expect(await harness.runner.expire(threadId, 0)).toEqual({ againAtMs: expect.any(Number) });
    await harness.runner.stop(threadId);
    await answer;
    const reader = new AbortController();
    const followed = harness.store.log.follow(threadId, { after: 0, signal: reader.signal });
    const events = followed[Symbol.asyncIterator]();
    await events.next();
    expect(await harness.runner.expire(threadId, 0)).toEqual({ againAtMs: expect.any(Number) });
    reader.abort();
    await events.return?.();
    expect(await harness.runner.expire(threadId, 0)).toBeUndefined();
    expect(harness.store.threads.get(threadId)).toBeUndefined();
  });

  it("that is not there has its sandbox removed", async () => {
    const harness = await makeHarness(onTestFinished, async () => outcome(""));
    await harness.runner.expire("thread_gone", 0);
    expect(harness.sandboxes.calls).toEqual(["remove thread_gone"]);
  });
});
