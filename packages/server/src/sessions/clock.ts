import { type Clock, systemClock } from "@atoll/lifecycle";

/** Two clocks: the one on the wall is for the next server, and may be set at any time; what lives here goes by the other. */
export interface SessionClock extends Clock {
  /** Rises steadily, whatever becomes of the clock on the wall. */
  elapsedMs(): number;
}

/**
 * Now by the clock on the wall, as far as it was seen to move: one that jumps ahead makes nothing older than it is, and
 * one that is set back is believed. In whole milliseconds: a database refuses a fraction of one.
 */
export function witness(clock: SessionClock): () => number {
  const aheadMs = clock.now() - clock.elapsedMs();
  return () => Math.floor(Math.min(clock.now(), aheadMs + clock.elapsedMs()));
}

export const sessionClock: SessionClock = { ...systemClock, elapsedMs: () => performance.now() };
