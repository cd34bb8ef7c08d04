/**
 * Which of these numbers, the oldest first, to give up next: the one that is missed least, so that what stays gets
 * exponentially sparser with age. The newest is never given up; undefined when it is the only one.
 */
export function chooseForgotten(numbers: readonly number[]): number | undefined {
  const newest = numbers.at(-1);
  if (newest === undefined || numbers.length < 2) return undefined;
  let least: { number: number; gap: number } | undefined;
  for (let at = 1; at < numbers.length - 1; at++) {
    const [older, number, younger] = [numbers[at - 1], numbers[at], numbers[at + 1]] as [
      number,
      number,
      number,
    ];
    // How much further back one has to go, in proportion, if this one is gone.
    const gap = (newest - older + 1) / (newest - younger + 1);
    // Of two that are missed alike, the older goes.
    if (!least || gap < least.gap) least = { number, gap };
  }
  return least?.number ?? numbers[0];
}
