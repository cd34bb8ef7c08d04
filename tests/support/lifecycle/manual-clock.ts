import type { Clock } from "@atoll/lifecycle";

/** Stands still until a test advances it. */
export class ManualClock implements Clock {
  #nowMs: number;
  /** How far the wall clock was set ahead. */
  #jumpedMs = 0;
  #timers: { atMs: number; call: () => void }[] = [];

  constructor(nowMs = Date.parse("2030-01-01T00:00:00Z")) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs + this.#jumpedMs;
  }

  /** Ignores jumps. */
  elapsedMs(): number {
    return this.#nowMs;
  }

  /** Sets the wall clock; no time passes. */
  jump(byMs: number): void {
    this.#jumpedMs += byMs;
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { atMs: this.#nowMs + Math.max(0, delayMs), call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Fires the due timers in order, each at its own time. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    while (true) {
      const [next] = this.#timers.toSorted((one, other) => one.atMs - other.atMs);
      if (!next || next.atMs > untilMs) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.call();
    }
    this.#nowMs = untilMs;
  }

  /** Pending timers never fire, as after the death of a process. */
  stop(): void {
    this.#timers = [];
  }

  /** The time until the next timer; undefined if there is none. */
  get nextInMs(): number | undefined {
    const times = this.#timers.map(({ atMs }) => atMs - this.#nowMs);
    return times.length > 0 ? Math.min(...times) : undefined;
  }
}
