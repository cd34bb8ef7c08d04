import type { Clock } from "@atoll/lifecycle";

/** Stands still until a test moves it on. */
export class ManualClock implements Clock {
  #nowMs: number;
  /** What the clock on the wall was set by. */
  #jumpedMs = 0;
  #alarms: { atMs: number; call: () => void }[] = [];

  constructor(nowMs = Date.parse("2030-01-01T00:00:00Z")) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs + this.#jumpedMs;
  }

  /** Knows nothing of jumps. */
  elapsedMs(): number {
    return this.#nowMs;
  }

  /** Sets the wall clock; no time passes. */
  jump(byMs: number): void {
    this.#jumpedMs += byMs;
  }

  after(delayMs: number, call: () => void): () => void {
    const alarm = { atMs: this.#nowMs + Math.max(0, delayMs), call };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** The alarms that are due go off, in their order, each at its own time. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    while (true) {
      const [next] = this.#alarms.toSorted((one, other) => one.atMs - other.atMs);
      if (!next || next.atMs > untilMs) break;
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.call();
    }
    this.#nowMs = untilMs;
  }

  /** Pending timers never fire, as after the death of a process. */
  stop(): void {
    this.#alarms = [];
  }

  /** How far off the next alarm is; undefined when there is none. */
  get nextInMs(): number | undefined {
    const times = this.#alarms.map(({ atMs }) => atMs - this.#nowMs);
    return times.length > 0 ? Math.min(...times) : undefined;
  }
}
