import type { SandboxHandle } from "@atoll/sandbox";
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "./policy.ts";
import { Capacity } from "./capacity.ts";
import { ThreadRegistry } from "./thread-sandbox.ts";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";

const handle = { info: { capabilities: { pause: true } } } as unknown as SandboxHandle;

function createHarness(policy: Partial<typeof DEFAULT_POLICY>, busy: readonly string[] = []) {
  const clock = new ManualClock();
  const threads = new ThreadRegistry(clock);
  const moves: string[] = [];
  const memory = { availableBytes: Number.MAX_SAFE_INTEGER, gainBytes: 0 };
  const move =
    (verb: string, change: (threadId: string) => void) => async (threadId: string, reason: string) => {
      if (busy.includes(threadId)) return false;
      moves.push(`${verb} ${threadId}, ${reason}`);
      change(threadId);
      return true;
    };
  const capacity = new Capacity({
    threads,
    clock,
    policy: { ...DEFAULT_POLICY, minAvailableBytes: 0, ...policy },
    availableBytes: async () => memory.availableBytes,
    onProblem: (_, error) => expect.unreachable(String(error)),
    pause: move("pause", (id) => Object.assign(threads.live(id) ?? {}, { state: "warm" })),
    evict: move("evict", (id) => {
      const live = threads.live(id);
      if (live) threads.clearLive(live);
      memory.availableBytes += memory.gainBytes;
    }),
  });
  const add = (ids: readonly string[], state: "hot" | "warm" = "hot") => {
    for (const id of ids) {
      threads.setLive(threads.open(id), handle, state);
      clock.advance(1000);
    }
  };
  return { clock, threads, capacity, moves, memory, add };
}

describe("capacity", () => {
  it("the least recently used are paused first; busy, used and held sandboxes stay", async () => {
    const { threads, capacity, moves, add } = createHarness({ maxHot: 1 }, ["at-work"]);
    add(["at-work", "in-use", "held", "old", "used-again", "young"]);
    const [inUse, usedAgain] = [threads.live("in-use"), threads.live("used-again")];
    if (!inUse || !usedAgain) return expect.unreachable();
    threads.beginCall(inUse);
    threads.touch(usedAgain);
    threads.hold("held");
    capacity.check();
    await expect
      .poll(() => moves)
      .toEqual(["pause old, too_many_hot", "pause young, too_many_hot", "pause used-again, too_many_hot"]);
  });

  it("warm sandboxes beyond the limit are evicted, also those just paused", async () => {
    const { capacity, moves, add } = createHarness({ maxHot: 1, maxWarm: 1 });
    add(["w-1"], "warm");
    add(["h-1", "h-2"]);
    capacity.check();
    await expect.poll(() => moves).toEqual(["pause h-1, too_many_hot", "evict w-1, too_many_warm"]);
  });

  it("short memory evicts warm sandboxes, then hot ones, and stops when there is enough", async () => {
    const { capacity, moves, memory, add } = createHarness({ minAvailableBytes: 100 });
    Object.assign(memory, { availableBytes: 50, gainBytes: 20 });
    add(["h-1", "h-2"]);
    add(["w-1", "w-2"], "warm");
    capacity.check();
    const expected = ["evict w-1, memory_short", "evict w-2, memory_short", "evict h-1, memory_short"];
    await expect.poll(() => moves).toEqual(expected);
    await capacity.close();
    expect(moves).toEqual(expected);
  });

  it("memory is checked regularly, also without a wake", async () => {
    const { clock, capacity, moves, memory, add } = createHarness({ minAvailableBytes: 100 });
    add(["h-1"]);
    capacity.check();
    await expect.poll(() => clock.nextInMs).toBe(10_000);
    Object.assign(memory, { availableBytes: 50, gainBytes: 100 });
    clock.advance(10_000);
    await expect.poll(() => moves).toEqual(["evict h-1, memory_short"]);
    await capacity.close();
    expect(clock.nextInMs).toBeUndefined();
  });

  it("a new sandbox waits for an eviction in progress, at most 15 s", async () => {
    const { clock, capacity, threads, moves, add } = createHarness({ maxHot: 1 });
    add(["h-1", "h-2"]);
    capacity.check();
    await capacity.waitForEviction();
    expect(moves).toEqual(["pause h-1, too_many_hot"]);
    await capacity.waitForEviction();

    const stuck = new Capacity({
      threads,
      clock,
      policy: { ...DEFAULT_POLICY, maxHot: 0, minAvailableBytes: 0 },
      availableBytes: async () => 0,
      onProblem: () => {},
      pause: () => new Promise(() => {}),
      evict: () => new Promise(() => {}),
    });
    stuck.check();
    const waiting = stuck.waitForEviction();
    clock.advance(15_000);
    await waiting;
  });
});
