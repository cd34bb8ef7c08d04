import { parkInterpreters, Sandbox } from "@atoll/sandbox";
import type { Measure } from "../measure.ts";
import { progress } from "../progress.ts";
import { evaluate } from "../python.ts";
import { timeMs } from "../rounds.ts";

const POOL_SIZE = "ATOLL_PYODIDE_POOL_SIZE";

/** Python in WebAssembly: started for one run, taken from the pool, and already there. */
export const pyodide: Measure = {
  name: "pyodide",
  figures: [
    {
      key: "pyodide_cold_ms",
      label: "create → first result, pyodide, no pool",
      unit: "ms",
      goal: { atMost: 2000 },
    },
    {
      key: "pyodide_pool_ms",
      label: "create → first result, pyodide, pooled",
      unit: "ms",
      goal: { atMost: 30 },
    },
    { key: "pyodide_hot_exec_ms", label: "1+1 on a live pyodide", unit: "ms" },
  ],
  async run(session) {
    const reason = await Sandbox.unavailableBecause("pyodide");
    if (reason !== undefined) {
      const missing = { missing: reason };
      return { pyodide_cold_ms: missing, pyodide_pool_ms: missing, pyodide_hot_exec_ms: missing };
    }
    const first = async () => {
      const sandbox = await session.create({ runtime: "pyodide" });
      if ((await evaluate(sandbox, "1+1")) !== "2") throw new Error("pyodide cannot add");
      return sandbox;
    };
    const before = process.env[POOL_SIZE];
    try {
      process.env[POOL_SIZE] = "0";
      await session.destroy(await first());
      const cold = await sample(session.rounds(10, 3), "cold", first, session.destroy.bind(session));
      process.env[POOL_SIZE] = "1";
      await session.destroy(await first());
      const settle = async (sandbox: Awaited<ReturnType<typeof first>>) => {
        await session.destroy(sandbox);
        await parkInterpreters();
      };
      await parkInterpreters();
      const pooled = await sample(session.rounds(20, 3), "pool", first, settle);
      const sandbox = await first();
      const hot: number[] = [];
      for (let round = session.rounds(500, 50); round > 0; round--)
        hot.push(await timeMs(() => evaluate(sandbox, "1+1")));
      await session.destroy(sandbox);
      return { pyodide_cold_ms: cold, pyodide_pool_ms: pooled, pyodide_hot_exec_ms: hot };
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.env, POOL_SIZE);
      else process.env[POOL_SIZE] = before;
    }
  },
};

async function sample<Made>(
  rounds: number,
  name: string,
  make: () => Promise<Made>,
  end: (made: Made) => Promise<void>,
): Promise<number[]> {
  const samples: number[] = [];
  while (samples.length < rounds) {
    progress.update(`pyodide, ${name}: ${samples.length} of ${rounds}`);
    let made: Made | undefined;
    samples.push(await timeMs(async () => void (made = await make())));
    await end(made as Made);
  }
  return samples;
}
