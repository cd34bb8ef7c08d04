import type { SandboxHandle } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { IdleTimers } from "./idle-timers.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { createSqliteQueue } from "./queue/sqlite-queue.ts";
import { ThreadRegistry } from "./thread-sandbox.ts";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";

const policy = { ...DEFAULT_POLICY, warmAfterMs: 60_000, coldAfterMs: 900_000, deleteAfterMs: 9_000_000 };
const handle = { info: { capabilities: { pause: true } } } as unknown as SandboxHandle;

function createHarness(isOwnedElsewhere?: (threadId: string) => Promise<boolean>) {
  const clock = new ManualClock();
  const queue = createSqliteQueue({ database: ":memory:", clock });
  const threads = new ThreadRegistry(clock);
  const calls: string[] = [];
  const note = async (text: string) => void calls.push(`${text} at ${(clock.now() - start) / 1000} s`);
  const timers = new IdleTimers({
    queue,
    threads,
    policy,
    clock,
    doThreadsExpire: true,
    isOwnedElsewhere,
    onProblem: (_, error) => expect.unreachable(String(error)),
  });
  let isBusy = false;
  let againAtMs: number | undefined;
  timers.start({
    async pause(threadId) {
      await note(`pause ${threadId}`);
      const live = threads.live(threadId);
      if (live && !isBusy) live.state = "warm";
      return !isBusy;
    },
    async evict(threadId) {
      await note(`evict ${threadId}`);
      return !isBusy;
    },
    async expire(threadId) {
      await note(`expire ${threadId}`);
      return againAtMs === undefined ? undefined : { againAtMs };
    },
    removeOrphan: (threadId) => note(`remove ${threadId}`),
  });
  const start = clock.now();
  /** Ten seconds at a time, so that the work of one timer is done before the next. */
  const advance = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) {
      clock.advance(10_000);
      await new Promise(setImmediate);
    }
  };
  const setBusy = (busy: boolean) => void (isBusy = busy);
  const keepUntil = (timeMs: number | undefined) => void (againAtMs = timeMs);
  const addLive = (id: string, sandbox = handle) => threads.setLive(threads.open(id), sandbox, "hot");
  return { clock, queue, threads, timers, calls, advance, addLive, setBusy, keepUntil };
}

describe("idle timers", () => {
  it("a timer that fires after a later use waits until that use is old enough", async () => {
    const { threads, timers, calls, advance, addLive } = createHarness();
    const live = addLive("thread-1");
    timers.scheduleLive(live);
    await advance(50);
    threads.touch(live);
    await advance(50);
    expect(calls).toEqual([]);
    await advance(20);
    expect(calls).toEqual(["pause thread-1 at 110 s"]);
  });

  it("a use does not write to the queue", async () => {
    const { queue, threads, timers, advance, addLive } = createHarness();
    const live = addLive("thread-1");
    timers.scheduleLive(live);
    const [before] = await queue.list();
    await advance(30);
    threads.touch(live);
    expect(await queue.list()).toEqual([before]);
  });

  it("a busy thread is tried again after the same time", async () => {
    const { timers, calls, advance, addLive, setBusy } = createHarness();
    setBusy(true);
    timers.scheduleLive(addLive("thread-1"));
    await advance(130);
    expect(calls).toEqual(["pause thread-1 at 60 s", "pause thread-1 at 120 s"]);
  });

  it("a sandbox that cannot be paused goes from hot to cold", async () => {
    const { timers, calls, advance, addLive } = createHarness();
    const unable = { info: { capabilities: { pause: false } } } as unknown as SandboxHandle;
    timers.scheduleLive(addLive("thread-1", unable));
    await advance(910);
    expect(calls).toEqual(["evict thread-1 at 900 s"]);
  });

  it("a thread that was woken expires only after the full idle time since that use", async () => {
    const { clock, queue, timers, calls, addLive } = createHarness();
    timers.scheduleCold("thread-1", clock.now());
    clock.advance(8_000_000);
    addLive("thread-1");
    clock.advance(1_000_000);
    await expect
      .poll(async () => Date.parse((await queue.list())[0]?.dueAt ?? ""))
      .toBe(clock.now() + 8_000_000);
    expect(calls).toEqual([]);
  });

  it("the timer of a thread that another server owns is left to that server", async () => {
    const { queue, threads, timers, calls, advance, addLive } = createHarness(async () => true);
    const live = addLive("thread-1");
    timers.scheduleLive(live);
    threads.clearLive(live);
    await advance(70);
    expect(calls).toEqual([]);
    expect(await queue.list()).toMatchObject([{ sandboxId: "thread-1", kind: "pause", state: "waiting" }]);
  });

  it("an expired thread that its server keeps is checked again at the time the server gives", async () => {
    const { clock, timers, calls, advance, keepUntil } = createHarness();
    timers.scheduleCold("thread-1", clock.now() - policy.deleteAfterMs);
    keepUntil(clock.now() + 60_000);
    await advance(50);
    expect(calls).toEqual(["expire thread-1 at 10 s"]);
    keepUntil(undefined);
    await advance(30);
    expect(calls).toEqual(["expire thread-1 at 10 s", "expire thread-1 at 60 s"]);
    await advance(100);
    expect(calls).toHaveLength(2);
  });
});
