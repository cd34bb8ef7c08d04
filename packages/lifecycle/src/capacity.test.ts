import type { SandboxHandle } from "@atoll/sandbox";
import { expect, test } from "vitest";
import { defaultPolicy } from "./policy.ts";
import { Relief } from "./capacity.ts";
import { Residents } from "./thread-sandbox.ts";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";

const handle = { info: { capabilities: { pause: true } } } as unknown as SandboxHandle;

function makeRelief(policy: Partial<typeof defaultPolicy>, busy: readonly string[] = []) {
  const clock = new ManualClock();
  const residents = new Residents(clock);
  const moves: string[] = [];
  const memory = { availableBytes: Number.MAX_SAFE_INTEGER, gainBytes: 0 };
  const move =
    (verb: string, change: (threadId: string) => void) => async (threadId: string, reason: string) => {
      if (busy.includes(threadId)) return false;
      moves.push(`${verb} ${threadId}, ${reason}`);
      change(threadId);
      return true;
    };
  const relief = new Relief({
    residents,
    clock,
    policy: { ...defaultPolicy, minAvailableBytes: 0, ...policy },
    availableBytes: async () => memory.availableBytes,
    onProblem: (_, error) => expect.unreachable(String(error)),
    pause: move("pause", (id) => Object.assign(residents.get(id) ?? {}, { state: "warm" })),
    evict: move("evict", (id) => {
      const resident = residents.get(id);
      if (resident) residents.drop(resident);
      memory.availableBytes += memory.gainBytes;
    }),
  });
  const add = (ids: readonly string[], state: "hot" | "warm" = "hot") => {
    for (const id of ids) {
      residents.add(id, handle, state);
      clock.advance(1000);
    }
  };
  return { clock, residents, relief, moves, memory, add };
}

test("the least recently used give way, and those at work, in use or held do not", async () => {
  const { residents, relief, moves, add } = makeRelief({ maxHot: 1 }, ["at-work"]);
  add(["at-work", "in-use", "held", "old", "used-again", "young"]);
  const [inUse, usedAgain] = [residents.get("in-use"), residents.get("used-again")];
  if (!inUse || !usedAgain) return expect.unreachable();
  residents.beginUse(inUse);
  residents.touch(usedAgain);
  residents.hold("held");
  relief.request();
  await expect
    .poll(() => moves)
    .toEqual(["pause old, too_many_hot", "pause young, too_many_hot", "pause used-again, too_many_hot"]);
});

test("too many warm ones end, those that became so last too", async () => {
  const { relief, moves, add } = makeRelief({ maxHot: 1, maxWarm: 1 });
  add(["w-1"], "warm");
  add(["h-1", "h-2"]);
  relief.request();
  await expect.poll(() => moves).toEqual(["pause h-1, too_many_hot", "evict w-1, too_many_warm"]);
});

test("short memory ends warm ones, then hot ones, and no more than it takes", async () => {
  const { relief, moves, memory, add } = makeRelief({ minAvailableBytes: 100 });
  Object.assign(memory, { availableBytes: 50, gainBytes: 20 });
  add(["h-1", "h-2"]);
  add(["w-1", "w-2"], "warm");
  relief.request();
  const expected = ["evict w-1, memory_short", "evict w-2, memory_short", "evict h-1, memory_short"];
  await expect.poll(() => moves).toEqual(expected);
  await relief.close();
  expect(moves).toEqual(expected);
});

test("memory is looked at also when nobody asks for a sandbox", async () => {
  const { clock, relief, moves, memory, add } = makeRelief({ minAvailableBytes: 100 });
  add(["h-1"]);
  relief.request();
  await expect.poll(() => clock.nextInMs).toBe(10_000);
  Object.assign(memory, { availableBytes: 50, gainBytes: 100 });
  clock.advance(10_000);
  await expect.poll(() => moves).toEqual(["evict h-1, memory_short"]);
  await relief.close();
  expect(clock.nextInMs).toBeUndefined();
});

test("a newcomer waits while room is made, and no longer than it must", async () => {
  const { clock, relief, residents, moves, add } = makeRelief({ maxHot: 1 });
  add(["h-1", "h-2"]);
  relief.request();
  await relief.makeRoom();
  expect(moves).toEqual(["pause h-1, too_many_hot"]);
  await relief.makeRoom();

  const stuck = new Relief({
    residents,
    clock,
    policy: { ...defaultPolicy, maxHot: 0, minAvailableBytes: 0 },
    availableBytes: async () => 0,
    onProblem: () => {},
    pause: () => new Promise(() => {}),
    evict: () => new Promise(() => {}),
  });
  stuck.request();
  const room = stuck.makeRoom();
  clock.advance(15_000);
  await room;
});
