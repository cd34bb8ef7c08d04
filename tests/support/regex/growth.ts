import type { Attack } from "./attacks.ts";

/** Characters of the texts that are timed: small ones first, since an exponential expression does not end on long ones. */
const LADDER = [12, 16, 20, 24, 28, 32, 100, 400, 1600];
/** A linear expression reads 1,600 characters in microseconds. */
const SUSPECT_MS = 0.4;
/** Processor time that no linear expression takes for 16,000 characters, even one that looks at each a hundred times. */
const HOPELESS_MS = 40;
const [SHORT, LONG] = [2_000, 16_000];

/**
 * Whether a work takes far more than a fixed time for each character of this attack: eight times the text takes eight
 * times as long if the work is linear, and 64 times if it is quadratic.
 */
export function growsTooFast(work: (text: string) => void, attack: Attack): boolean {
  for (const length of LADDER) {
    const spent = time(work, grow(attack, length));
    if (spent > HOPELESS_MS && processorTime(work, grow(attack, length)) > HOPELESS_MS) return true;
    if (length === LADDER.at(-1) && spent < SUSPECT_MS) return false;
  }
  if (processorTime(work, grow(attack, LONG)) < HOPELESS_MS) return false;
  const short = Math.min(...Array.from({ length: 8 }, () => time(work, grow(attack, SHORT))));
  return processorTime(work, grow(attack, LONG)) / short > 24;
}

function grow({ prefix, pump, suffix }: Attack, length: number): string {
  return prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
}

function time(work: (text: string) => void, text: string): number {
  const start = performance.now();
  work(text);
  return performance.now() - start;
}

/** Of this thread alone, so that a busy machine changes nothing; in steps of some milliseconds. */
function processorTime(work: (text: string) => void, text: string): number {
  const start = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
