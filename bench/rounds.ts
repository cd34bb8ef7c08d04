import { progress } from "./progress.ts";

/** Does the thing once and tells what it took, in ms; what comes before and after is its own matter. */
export type Sampler = () => Promise<number>;

/**
 * Takes the samplers in turn, A B C A B C, so that whatever else the machine does hits all of them alike. A first round
 * is not counted.
 */
export async function interleave<Key extends string>(
  samplers: Readonly<Record<Key, Sampler>>,
  options: { rounds: number; signal: AbortSignal; name: string },
): Promise<Record<Key, number[]>> {
  const entries = Object.entries(samplers) as [Key, Sampler][];
  const samples = Object.fromEntries(entries.map(([key]) => [key, []])) as unknown as Record<Key, number[]>;
  for (let round = 0; round <= options.rounds; round++) {
    progress.update(`${options.name}: round ${round} of ${options.rounds}`);
    for (const [key, sampler] of entries) {
      options.signal.throwIfAborted();
      const sample = await sampler();
      if (round > 0) samples[key].push(sample);
    }
  }
  return samples;
}

export async function timeMs(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}
