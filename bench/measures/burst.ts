import type { Measure } from "../measure.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";

const SIZE = 100;

/** All asked for at once; the clock stops when the last has answered. */
export const burst: Measure = {
  name: "burst",
  figures: [{ key: "burst100_ms", label: `${SIZE} at once: create → first result of all`, unit: "ms" }],
  async run(session) {
    const one = async (_: unknown, number: number) => {
      const sandbox = await session.create();
      if ((await evaluate(sandbox, `${number} + 1`)) !== String(number + 1))
        throw new Error("a wrong sum in the burst");
    };
    const samplers = {
      async burst100_ms() {
        const tookMs = await timeMs(() => Promise.all(Array.from({ length: SIZE }, one)));
        await session.destroyAll();
        return tookMs;
      },
    };
    return interleave(samplers, { rounds: session.rounds(10, 1), signal: session.signal, name: "burst" });
  },
};
