import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { Measure } from "../measure.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";

/** What the router adds to a run in Pyodide: reading the code, deciding, and for more than one line a look at the files. */
export const routed: Measure = {
  name: "routed",
  figures: [
    {
      key: "routed_exec_ms",
      label: "1+1 through the router, in Pyodide",
      unit: "ms",
      beside: ["unrouted_exec_ms"],
    },
    { key: "unrouted_exec_ms", label: "1+1 in Pyodide without the router", unit: "ms" },
    {
      key: "routed_loop_ms",
      label: "a loop over a variable through the router, in Pyodide",
      unit: "ms",
      beside: ["unrouted_loop_ms"],
    },
    { key: "unrouted_loop_ms", label: "the same without the router", unit: "ms" },
  ],
  async run(session) {
    const reason = await Sandbox.unavailableBecause("routed");
    if (reason !== undefined) {
      const missing = { missing: reason };
      return Object.fromEntries(routed.figures.map(({ key }) => [key, missing]));
    }
    const both = await session.create({ runtime: "routed" });
    const light = await session.create({ runtime: "pyodide" });
    for (const sandbox of [both, light]) await sandbox.python.run("items = list(range(100))");
    const time = (sandbox: SandboxHandle, code: string, expected: string) => () =>
      timeMs(async () => {
        const answer = await evaluate(sandbox, code);
        if (answer !== expected) throw new Error(`${code} gave ${answer}`);
      });
    const loop = "sum(item * item for item in items)";
    const found = await interleave(
      {
        routed_exec_ms: time(both, "1+1", "2"),
        unrouted_exec_ms: time(light, "1+1", "2"),
        routed_loop_ms: time(both, loop, "328350"),
        unrouted_loop_ms: time(light, loop, "328350"),
      },
      { rounds: session.rounds(200, 20), signal: session.signal, name: "routed", inARow: 10 },
    );
    await session.destroy(both);
    await session.destroy(light);
    return found;
  },
};
