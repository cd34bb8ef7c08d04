/** When sandboxes change their state. */
export interface LifecyclePolicy {
  /** Unused for this long: frozen. */
  readonly warmAfterMs: number;
  /** Unused for this long: no process left. */
  readonly coldAfterMs: number;
  /** Unused for this long: the thread's owner is told that it has expired. */
  readonly deleteAfterMs: number;
  /** More than that, and the least recently used are frozen, unless something goes on in them. */
  readonly maxHot: number;
  /** More than that, and the least recently used end. */
  readonly maxWarm: number;
  /** Less memory than this on the host, and the least recently used end. */
  readonly minAvailableBytes: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export const defaultPolicy: LifecyclePolicy = {
  warmAfterMs: minuteMs,
  coldAfterMs: 15 * minuteMs,
  deleteAfterMs: 30 * dayMs,
  maxHot: 200,
  maxWarm: 1000,
  minAvailableBytes: 512 * 1024 * 1024,
};
