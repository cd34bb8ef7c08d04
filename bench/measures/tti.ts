import { spawn } from "node:child_process";
import { once } from "node:events";
import { openDocker } from "../docker/docker.ts";
import type { Findings, Measure, Missing } from "../measure.ts";
import { progress } from "../progress.ts";
import { evaluate, findSetUpPython } from "../python.ts";
import { interleave, type Sampler, timeMs } from "../rounds.ts";
import type { Session } from "../session.ts";

const FIRST_QUESTION = `
import pandas as pd
pd.DataFrame({"city": ["Riga", "Oslo", "Riga"], "amount": [1, 2, 3]}).groupby("city").sum()
`;
const JUST_THE_IMPORT = ["-c", "import pandas"];

/** Time to interactive: from nothing to a first answer of pandas. The others only import it. */
export const tti: Measure = {
  name: "tti",
  figures: [
    {
      key: "tti_local_ms",
      label: "create → first pandas result, local",
      unit: "ms",
      beside: ["tti_fresh_python_ms", "tti_docker_run_ms"],
      goal: { atMost: 15 },
    },
    { key: "tti_fresh_python_ms", label: "fresh python3, import pandas", unit: "ms" },
    { key: "tti_docker_run_ms", label: "docker run, import pandas", unit: "ms" },
  ],
  async run(session) {
    const local: Sampler = () => sampleLocal(session);
    const python = await findSetUpPython("python");
    await using docker = await openDocker(session);
    const candidates: Record<string, Sampler | Missing> = {
      tti_local_ms: local,
      tti_fresh_python_ms: python
        ? () => sampleProcess(python, JUST_THE_IMPORT)
        : { missing: "no .atoll/python.json: run npm run setup" },
      tti_docker_run_ms:
        "missing" in docker ? docker : () => sampleProcess(...docker.run(["python3", ...JUST_THE_IMPORT])),
    };
    // Awaited here, so that the engine lives until then.
    return await interleavePresent(candidates, session);
  },
};

async function interleavePresent(
  candidates: Record<string, Sampler | Missing>,
  session: Session,
): Promise<Findings> {
  const samplers: Record<string, Sampler> = {};
  const missing: Record<string, Missing> = {};
  for (const [key, candidate] of Object.entries(candidates)) {
    if (typeof candidate === "function") samplers[key] = candidate;
    else missing[key] = candidate;
  }
  for (const [key, { missing: reason }] of Object.entries(missing)) progress.note(`${key}: ${reason}`);
  const found = await interleave(samplers, {
    rounds: session.rounds(50),
    signal: session.signal,
    name: "tti",
  });
  return { ...found, ...missing };
}

async function sampleLocal(session: Session): Promise<number> {
  const startedAt = performance.now();
  const sandbox = await session.create();
  const answer = await evaluate(sandbox, FIRST_QUESTION);
  const tookMs = performance.now() - startedAt;
  if (!/Riga\s+4/.test(answer)) throw new Error(`the sandbox answered ${JSON.stringify(answer)}`);
  await session.destroy(sandbox);
  return tookMs;
}

function sampleProcess(program: string, args: readonly string[], env = process.env): Promise<number> {
  return timeMs(async () => {
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"], env });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}`);
  });
}
