import { AtollError, type SandboxHandle } from "@atoll/sandbox";
import type { Alarms } from "./idle-timers.ts";
import type { Claims } from "./ownership.ts";
import type { Clock } from "./clock.ts";
import type { StateChange } from "./contract.ts";
import type { Residents } from "./thread-sandbox.ts";
import type { ThreadFacts } from "./thread-facts.ts";
import type { KeyedMutex } from "@atoll/std";
import type { WakeCosts } from "./wake-costs.ts";

/** What all who move sandboxes between their states share. */
export interface Parts {
  readonly residents: Residents;
  readonly facts: ThreadFacts;
  readonly mutex: KeyedMutex;
  readonly costs: WakeCosts;
  readonly alarms: Alarms;
  readonly clock: Clock;
  readonly claims: Claims;
  announce(threadId: string, change: Announcement): void;
  /** Before a sandbox more runs. */
  makeRoom(): Promise<void>;
  /** A sandbox more is running. */
  onMore(): void;
}

export type Announcement = Pick<StateChange, "from" | "to" | "reason"> & Partial<StateChange>;

export async function isRunning(handle: SandboxHandle): Promise<boolean> {
  return (await handle.state()) === "running";
}

/** The sandbox has ended by itself. */
export function isDeath(error: unknown): boolean {
  return error instanceof AtollError && error.code === "sandbox_dead";
}
