import type { Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { timeMs } from "../rounds.ts";

/** One create right after the other, none ended between: once the parked sandboxes are used up, each is made on demand. */
export const create: Measure = {
  name: "create",
  figures: [{ key: "create_ms", label: "create alone, one after another", unit: "ms" }],
  async run(session) {
    await session.destroy(await session.create());
    const samples: number[] = [];
    const rounds = session.rounds(100, 20);
    while (samples.length < rounds) {
      progress.update(`create: ${samples.length} of ${rounds}`);
      samples.push(await timeMs(() => session.create()));
    }
    await session.destroyAll();
    return { create_ms: samples };
  },
};
