import type { ThreadSandboxState, WakeEstimate } from "./contract.ts";

const remembered = 31;

/** What wakes have cost, so that one can be told what the next will. Nothing is guessed. */
export class WakeCosts {
  readonly #own = new Map<string, number>();
  readonly #latest = new Map<ThreadSandboxState, number[]>();

  record(threadId: string, from: ThreadSandboxState, ms: number): void {
    this.#own.set(keyOf(threadId, from), ms);
    const latest = [...(this.#latest.get(from) ?? []), ms].slice(-remembered);
    this.#latest.set(from, latest);
  }

  estimate(threadId: string, from: ThreadSandboxState): WakeEstimate | undefined {
    if (from === "hot") return { ms: 0, basis: "own" };
    const own = this.#own.get(keyOf(threadId, from));
    if (own !== undefined) return { ms: own, basis: "own" };
    const latest = this.#latest.get(from)?.toSorted((one, other) => one - other);
    const middle = latest?.[latest.length >> 1];
    return middle === undefined ? undefined : { ms: middle, basis: "others" };
  }

  forget(threadId: string): void {
    for (const state of ["warm", "cold"] as const) this.#own.delete(keyOf(threadId, state));
  }
}

function keyOf(threadId: string, from: ThreadSandboxState): string {
  return `${from} ${threadId}`;
}
