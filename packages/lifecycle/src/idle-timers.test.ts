import type { SandboxHandle } from "@atoll/sandbox";
import { expect, test } from "vitest";
import { Alarms } from "./idle-timers.ts";
import { defaultPolicy } from "./policy.ts";
import { createSqliteQueue } from "./queue/sqlite-queue.ts";
import { Residents } from "./thread-sandbox.ts";
import { ManualClock } from "../../../tests/support/lifecycle/manual-clock.ts";

const policy = { ...defaultPolicy, warmAfterMs: 60_000, coldAfterMs: 900_000, deleteAfterMs: 9_000_000 };
const handle = { info: { capabilities: { pause: true } } } as unknown as SandboxHandle;

function makeAlarms(isHeldElsewhere?: (threadId: string) => Promise<boolean>) {
  const clock = new ManualClock();
  const queue = createSqliteQueue({ database: ":memory:", clock });
  const residents = new Residents(clock);
  const calls: string[] = [];
  const note = async (text: string) => void calls.push(`${text} at ${(clock.now() - start) / 1000} s`);
  const alarms = new Alarms({
    queue,
    residents,
    policy,
    clock,
    doThreadsExpire: true,
    isHeldElsewhere,
    onProblem: (_, error) => expect.unreachable(String(error)),
  });
  let isBusy = false;
  let againAtMs: number | undefined;
  alarms.start({
    async pause(threadId) {
      await note(`pause ${threadId}`);
      const resident = residents.get(threadId);
      if (resident && !isBusy) resident.state = "warm";
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
    endOrphan: (threadId) => note(`end ${threadId}`),
  });
  const start = clock.now();
  /** A second at a time, so that what an alarm sets off is done before the next. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 10) {
      clock.advance(10_000);
      await new Promise(setImmediate);
    }
  };
  const setBusy = (busy: boolean) => void (isBusy = busy);
  const keepUntil = (timeMs: number | undefined) => void (againAtMs = timeMs);
  return { clock, queue, residents, alarms, calls, pass, setBusy, keepUntil };
}

test("an alarm that goes off after a later use waits for that use to be old enough", async () => {
  const { alarms, residents, calls, pass } = makeAlarms();
  const resident = residents.add("thread-1", handle, "hot");
  alarms.setFor(resident);
  await pass(50);
  residents.touch(resident);
  await pass(50);
  expect(calls).toEqual([]);
  await pass(20);
  expect(calls).toEqual(["pause thread-1 at 110 s"]);
});

test("a use costs no write", async () => {
  const { alarms, residents, queue, pass } = makeAlarms();
  const resident = residents.add("thread-1", handle, "hot");
  alarms.setFor(resident);
  const [before] = await queue.list();
  await pass(30);
  residents.touch(resident);
  expect(await queue.list()).toEqual([before]);
});

test("a busy thread is asked again after the same time", async () => {
  const { alarms, residents, calls, pass, setBusy } = makeAlarms();
  setBusy(true);
  alarms.setFor(residents.add("thread-1", handle, "hot"));
  await pass(130);
  expect(calls).toEqual(["pause thread-1 at 60 s", "pause thread-1 at 120 s"]);
});

test("without a pause, or one that would come too late, the sandbox goes from hot to cold", async () => {
  const { alarms, residents, calls, pass } = makeAlarms();
  const unable = { info: { capabilities: { pause: false } } } as unknown as SandboxHandle;
  alarms.setFor(residents.add("thread-1", unable, "hot"));
  await pass(910);
  expect(calls).toEqual(["evict thread-1 at 900 s"]);
});

test("a thread that lives again does not expire until it is unused for long once more", async () => {
  const { alarms, residents, calls, clock, queue } = makeAlarms();
  alarms.setForCold("thread-1", clock.now());
  clock.advance(8_000_000);
  residents.add("thread-1", handle, "hot");
  clock.advance(1_000_000);
  await expect
    .poll(async () => Date.parse((await queue.list())[0]?.dueAt ?? ""))
    .toBe(clock.now() + 8_000_000);
  expect(calls).toEqual([]);
});

test("the alarm of a sandbox that another server has is left to that server", async () => {
  const { alarms, residents, calls, queue, pass } = makeAlarms(async () => true);
  const resident = residents.add("thread-1", handle, "hot");
  alarms.setFor(resident);
  residents.drop(resident);
  await pass(70);
  expect(calls).toEqual([]);
  expect(await queue.list()).toMatchObject([{ sandboxId: "thread-1", kind: "pause", state: "waiting" }]);
});

test("a thread that its owner wants to keep is looked at again when the owner says", async () => {
  const { alarms, clock, calls, pass, keepUntil } = makeAlarms();
  alarms.setForCold("thread-1", clock.now() - policy.deleteAfterMs);
  keepUntil(clock.now() + 60_000);
  await pass(50);
  expect(calls).toEqual(["expire thread-1 at 10 s"]);
  keepUntil(undefined);
  await pass(30);
  expect(calls).toEqual(["expire thread-1 at 10 s", "expire thread-1 at 60 s"]);
  await pass(100);
  expect(calls).toHaveLength(2);
});
