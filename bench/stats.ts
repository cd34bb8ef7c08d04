export function median(samples: readonly number[]): number {
  const sorted = sort(samples);
  const half = sorted.length / 2;
  return (pick(sorted, Math.ceil(half) - 1) + pick(sorted, Math.floor(half))) / 2;
}

export function mean(samples: readonly number[]): number {
  return samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
}

/**
 * The sample that 95 in 100 are at least as good as: a time that is rarely exceeded, or, where more is better, a rate
 * that is rarely missed. Always one of the samples (nearest rank).
 */
export function p95(samples: readonly number[], options: { isMoreBetter?: boolean } = {}): number {
  const sorted = sort(samples);
  const rank = Math.ceil(sorted.length * 0.95);
  return pick(sorted, options.isMoreBetter ? sorted.length - rank : rank - 1);
}

function sort(samples: readonly number[]): number[] {
  return samples.toSorted((a, b) => a - b);
}

function pick(sorted: readonly number[], index: number): number {
  return sorted[index] ?? Number.NaN;
}
