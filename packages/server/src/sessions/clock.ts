import { type Clock, systemClock } from "@atoll/lifecycle";

/** Two clocks: the one on the wall is for the next server, and may be set at any time; what lives here goes by the other. */
export interface SessionClock extends Clock {
  /** Rises steadily, whatever becomes of the clock on the wall. */
  elapsedMs(): number;
}

export const sessionClock: SessionClock = { ...systemClock, elapsedMs: () => performance.now() };
