import { progress } from "./progress.ts";

/** Does the thing once and tells what it took, in ms; what comes before and after is its own matter. */
export type Sampler = () => Promise<number>;

/**
 * Takes the samplers in turn, A B C A B C, so that whatever else the machine does hits all of them alike. A first round
 * is not counted. `inARow`: each so many times before the next, A A B B A A B B, for what is so short that it is
 * measured with the caches that the others leave behind instead of its own.
 */
export async function interleave<Key extends string>(
  samplers: Readonly<Record<Key, Sampler>>,
  options: { rounds: number; signal: AbortSignal; name: string; inARow?: number },
): Promise<Record<Key, number[]>> {
  const entries = Object.entries(samplers) as [Key, Sampler][];
  const samples = Object.fromEntries(entries.map(([key]) => [key, []])) as unknown as Record<Key, number[]>;
  const { rounds, signal, name, inARow = 1 } = options;
  for (let round = 0; round <= rounds; round += inARow) {
    progress.update(`${name}: round ${round} of ${rounds}`);
    for (const [key, sampler] of entries) {
      for (let time = 0; time < inARow; time++) {
        signal.throwIfAborted();
        const sample = await sampler();
        if (round > 0) samples[key].push(sample);
      }
    }
  }
  return samples;
}

export async function timeMs(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await action();
  return performance.now() - startedAt;
}
