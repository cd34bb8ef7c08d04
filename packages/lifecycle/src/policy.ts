/** When sandboxes change their state. */
export interface LifecyclePolicy {
  /** Unused for this long, a hot sandbox is paused. */
  readonly warmAfterMs: number;
  /** Unused for this long, a sandbox hibernates. */
  readonly coldAfterMs: number;
  /** Unused for this long, a thread expires. */
  readonly deleteAfterMs: number;
  /** Beyond this many, the least recently used hot sandboxes are paused, unless they are busy. */
  readonly maxHot: number;
  /** Beyond this many, the least recently used warm sandboxes hibernate. */
  readonly maxWarm: number;
  /** With less free memory on the host, the least recently used sandboxes hibernate. */
  readonly minAvailableBytes: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MIB = 1024 * 1024;

/** The only place of these defaults: the server's environment variables take theirs from here. */
export const DEFAULT_POLICY: LifecyclePolicy = {
  warmAfterMs: MINUTE_MS,
  coldAfterMs: 15 * MINUTE_MS,
  deleteAfterMs: 30 * DAY_MS,
  maxHot: 200,
  maxWarm: 1000,
  minAvailableBytes: 512 * MIB,
};

export const DEFAULT_CHECKPOINT_BYTES = 512 * MIB;
export const DEFAULT_CHECKPOINT_TIMEOUT_MS = 10 * SECOND_MS;
export const DEFAULT_ORPHAN_GRACE_MS = 10 * MINUTE_MS;
