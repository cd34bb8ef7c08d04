import { Sandbox } from "@atoll/sandbox";
import type { Measure } from "../measure.ts";
import { interleave, timeMs } from "../rounds.ts";
import { openWakes } from "../wakes.ts";

const FILES = 1000;
const RECORDED_ID = "bench-recorded-thread";

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
    const place = { dataDir: session.folder, runtime: "local" };
    await using wakes = await openWakes(place);
    const recorded = await wakes.open(RECORDED_ID);
    await recorded.python.run(`for n in range(${FILES}): open(f'file-{n}', 'w').write(str(n))`);
    const { trees } = await Sandbox.attach(RECORDED_ID, place);
    let { fingerprint } = await trees.scan();
    let turn = 0;
    const samplers = {
      warm_to_hot_ms: wakes.warmToHot,
      rest_ms: wakes.rest,
      cold_to_hot_ms: wakes.coldToHot,
      async checkpoint_ms() {
        turn++;
        await recorded.python.run(`open('file-0', 'w').write('turn ${turn}')`);
        const tookMs = await timeMs(() => wakes.sandboxes.checkpoint(RECORDED_ID, `turn-${turn}`));
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
  },
};
