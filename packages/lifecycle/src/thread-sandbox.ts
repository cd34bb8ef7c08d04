import type { Metrics, SandboxHandle } from "@atoll/sandbox";
import type { Clock } from "./clock.ts";

/** A sandbox that lives, and what is going on with it. */
export interface Resident {
  readonly threadId: string;
  readonly handle: SandboxHandle;
  state: "hot" | "warm";
  /** On its way to another state: whoever wants to use it waits until it has got there. */
  isLeaving: boolean;
  sinceMs: number;
  lastUsedMs: number;
  /** Calls under way. */
  uses: number;
  /** While a checkpoint is being taken: what would change something waits for it. */
  recording: Promise<unknown> | undefined;
  /** Since the latest checkpoint. */
  isChanged: boolean;
  hasRunPython: boolean;
  /** By something other than Python. */
  isTouched: boolean;
  metricsWhenFrozen: Metrics | undefined;
}

export class Residents {
  readonly #clock: Clock;
  /** Called when one may have become idle. */
  onIdle: () => void = () => {};
  readonly #all = new Map<string, Resident>();
  readonly #holds = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(threadId: string): Resident | undefined {
    return this.#all.get(threadId);
  }

  add(threadId: string, handle: SandboxHandle, state: "hot" | "warm"): Resident {
    const nowMs = this.#clock.now();
    const resident: Resident = {
      threadId,
      handle,
      state,
      isLeaving: false,
      sinceMs: nowMs,
      lastUsedMs: nowMs,
      uses: 0,
      recording: undefined,
      isChanged: true,
      hasRunPython: true,
      isTouched: true,
      metricsWhenFrozen: undefined,
    };
    this.#all.set(threadId, resident);
    return resident;
  }

  /** Unless another has taken its place. */
  drop(resident: Resident): void {
    if (this.#all.get(resident.threadId) === resident) this.#all.delete(resident.threadId);
  }

  ids(): string[] {
    return [...this.#all.keys()];
  }

  count(state: Resident["state"]): number {
    return this.#in(state).length;
  }

  /** Of those that nothing goes on with, the least recently used first. */
  idle(state: Resident["state"]): Resident[] {
    return this.#in(state)
      .filter((resident) => this.isIdle(resident))
      .toSorted((one, other) => one.lastUsedMs - other.lastUsedMs);
  }

  /** As far as one knows here: what runs inside unasked is for the guest to tell. */
  isIdle({ threadId, uses, recording, isLeaving }: Resident): boolean {
    return uses === 0 && !recording && !isLeaving && !this.#holds.has(threadId);
  }

  touch(resident: Resident): void {
    resident.lastUsedMs = this.#clock.now();
  }

  beginUse(resident: Resident): void {
    resident.uses++;
    this.touch(resident);
  }

  endUse(resident: Resident): void {
    resident.uses--;
    this.touch(resident);
    if (resident.uses === 0) this.onIdle();
  }

  /** Until the returned function is called, the thread is not idle. */
  hold(threadId: string): () => void {
    this.#holds.set(threadId, (this.#holds.get(threadId) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#holds.get(threadId) ?? 1) - 1;
      if (left > 0) this.#holds.set(threadId, left);
      else this.#holds.delete(threadId);
      const resident = this.get(threadId);
      if (resident) this.touch(resident);
      this.onIdle();
    };
  }

  #in(state: Resident["state"]): Resident[] {
    return [...this.#all.values()].filter((resident) => resident.state === state);
  }
}
