import { startIpykernel } from "../ipykernel.ts";
import type { Measure } from "../measure.ts";
import { evaluate } from "../python.ts";
import { interleave, timeMs } from "../rounds.ts";

/**
 * A round trip on a kernel that is already there. Each side is timed in its own client process, around the call a
 * program would make, until the reply is there and the kernel is idle again: `sandbox.python.run` in Node, `execute`
 * of jupyter_client's blocking client in Python.
 */
export const hot: Measure = {
  name: "hot",
  figures: [
    {
      key: "hot_exec_ms",
      label: "1+1 on a live kernel",
      unit: "ms",
      beside: ["ipykernel_exec_ms"],
      goal: { atMost: 3 },
    },
    { key: "ipykernel_exec_ms", label: "1+1 on an ipykernel", unit: "ms" },
  ],
  async run(session) {
    const sandbox = await session.create();
    await using ipykernel = await startIpykernel(session);
    const local = () =>
      timeMs(async () => {
        const answer = await evaluate(sandbox, "1+1");
        if (answer !== "2") throw new Error(`the sandbox thinks that 1+1 is ${answer}`);
      });
    const options = { rounds: session.rounds(500, 50), signal: session.signal, name: "hot", inARow: 10 };
    const found =
      "missing" in ipykernel
        ? { ...(await interleave({ hot_exec_ms: local }, options)), ipykernel_exec_ms: ipykernel }
        : await interleave(
            { hot_exec_ms: local, ipykernel_exec_ms: () => ipykernel.execute("1+1") },
            options,
          );
    await session.destroy(sandbox);
    return found;
  },
};
