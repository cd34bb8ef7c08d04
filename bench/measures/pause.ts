import type { Measure } from "../measure.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";

/** Warm: frozen in memory, and back. */
export const pause: Measure = {
  name: "pause",
  figures: [
    { key: "pause_ms", label: "pause", unit: "ms" },
    { key: "resume_ms", label: "resume", unit: "ms", goal: { atMost: 5 } },
    { key: "resume_to_result_ms", label: "resume → next result", unit: "ms" },
  ],
  async run(session) {
    const sandbox = await session.create();
    await evaluate(sandbox, "import pandas as pd; df = pd.DataFrame({'a': range(10_000)})");
    const samplers = {
      pause_ms: () => timeMs(() => sandbox.pause()),
      resume_ms: () => timeMs(() => sandbox.resume()),
      async resume_to_result_ms() {
        await sandbox.pause();
        return timeMs(async () => {
          await sandbox.resume();
          if ((await evaluate(sandbox, "len(df)")) !== "10000")
            throw new Error("the variables are gone after resume");
        });
      },
    };
    const found = await interleave(samplers, {
      rounds: session.rounds(100, 10),
      signal: session.signal,
      name: "pause",
    });
    await session.destroy(sandbox);
    return found;
  },
};
