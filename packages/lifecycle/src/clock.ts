/** Time and timers, so that tests can control them. */
export interface Clock {
  now(): number;
  /** Calls back once after this time, unless the returned function is called before. */
  after(delayMs: number, call: () => void): () => void;
}

/** Longer delays overflow `setTimeout`. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A pending timer does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
