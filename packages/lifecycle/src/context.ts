import type { Capacity } from "./capacity.ts";
import type { Clock } from "./clock.ts";
import type { StateChange } from "./contract.ts";
import type { IdleTimers } from "./idle-timers.ts";
import type { Ownership } from "./ownership.ts";
import type { ThreadRegistry } from "./thread-sandbox.ts";

/** What all that moves sandboxes between states shares. */
export interface LifecycleContext {
  readonly threads: ThreadRegistry;
  readonly ownership: Ownership;
  readonly timers: IdleTimers;
  readonly capacity: Capacity;
  readonly clock: Clock;
  announce(threadId: string, change: Announcement): void;
}

export type Announcement = Pick<StateChange, "from" | "to" | "reason"> & Partial<StateChange>;
