/** The time and its alarms, so that tests can be their master. */
export interface Clock {
  now(): number;
  /** Calls back once after this time, unless the returned function is called before. */
  after(delayMs: number, call: () => void): () => void;
}

const longestTimerMs = 2 ** 31 - 1;

/** A pending alarm does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, Math.min(Math.max(0, delayMs), longestTimerMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
