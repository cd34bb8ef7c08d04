import {
  createSqliteQueue,
  createThreadSandboxes,
  type StateChange,
  type ThreadSandboxes,
} from "@atoll/lifecycle";
import { Sandbox } from "@atoll/sandbox";
import type { Measure } from "../measure.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";
import { smallState, stateAnswer, stateQuestion } from "../small-state.ts";

const files = 1000;

/** What a thread's user waits for: the controller, with its locks, alarms and reports. */
export const lifecycle: Measure = {
  name: "lifecycle",
  figures: [
    { key: "warm_to_hot_ms", label: "warm → hot, wake", unit: "ms", goal: { atMost: 5 } },
    { key: "cold_to_hot_ms", label: "cold → hot, wake and next result", unit: "ms", goal: { atMost: 40 } },
    { key: "rest_ms", label: "hot → cold", unit: "ms" },
    { key: "checkpoint_ms", label: "checkpoint, one of 1,000 files changed", unit: "ms" },
    { key: "checkpoint_unchanged_ms", label: "look at 1,000 unchanged files", unit: "ms" },
  ],
  async run(session) {
    let onWarm = () => {};
    const onStateChange = (_: string, { to }: StateChange) => {
      if (to === "warm") onWarm();
    };
    const place = { dataDir: session.folder, runtime: "local" };
    const resting = createThreadSandboxes(place);
    const queue = createSqliteQueue({ database: ":memory:" });
    const freezing = createThreadSandboxes({ ...place, queue, warmAfterMs: 1, onStateChange });
    // Alarms do not keep a process alive, and here nothing else does while one is waited for.
    const alive = setInterval(() => {}, 1000);
    try {
      const cold = await prepare(resting, "bench-cold-thread");
      await prepare(freezing, "bench-warm-thread");
      const recorded = await prepare(resting, "bench-recorded-thread");
      await recorded.python.run(`for n in range(${files}): open(f'file-{n}', 'w').write(str(n))`);
      const { trees } = await Sandbox.attach("bench-recorded-thread", place);
      let { fingerprint } = await trees.scan();
      let turn = 0;
      const samplers = {
        async warm_to_hot_ms() {
          const frozen = new Promise<void>((resolve) => {
            onWarm = resolve;
          });
          await freezing.wake("bench-warm-thread", {});
          await frozen;
          return timeMs(() => freezing.wake("bench-warm-thread", {}));
        },
        rest_ms: () => timeMs(() => resting.rest("bench-cold-thread")),
        cold_to_hot_ms: () =>
          timeMs(async () => {
            await resting.wake("bench-cold-thread", {});
            await check(cold);
          }),
        async checkpoint_ms() {
          turn++;
          await recorded.python.run(`open('file-0', 'w').write('turn ${turn}')`);
          const tookMs = await timeMs(() => resting.checkpoint("bench-recorded-thread", `turn-${turn}`));
          ({ fingerprint } = await trees.scan());
          return tookMs;
        },
        checkpoint_unchanged_ms: () =>
          timeMs(async () => {
            const { entries } = await trees.scan({ unless: fingerprint });
            if (entries) throw new Error("the files have changed");
          }),
      };
      const rounds = session.rounds(30);
      return await interleave(samplers, { rounds, signal: session.signal, name: "lifecycle" });
    } finally {
      clearInterval(alive);
      for (const id of ["bench-cold-thread", "bench-recorded-thread"]) await resting.remove(id);
      await freezing.remove("bench-warm-thread");
      await resting.close();
      await freezing.close();
    }
  },
};

async function prepare(sandboxes: ThreadSandboxes, threadId: string): Promise<Sandbox> {
  const { sandbox } = await sandboxes.wake(threadId, {});
  await evaluate(sandbox, smallState);
  await check(sandbox);
  return sandbox;
}

async function check(sandbox: Sandbox): Promise<void> {
  const found = await evaluate(sandbox, stateQuestion);
  if (found !== stateAnswer) throw new Error(`${found} came back instead of ${stateAnswer}`);
}
