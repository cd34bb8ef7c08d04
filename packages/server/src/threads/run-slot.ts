import { rejectOnAbort, type Semaphore } from "@atoll/std";

/**
 * What a run holds while it works: one of the server's run slots, and its sandbox kept awake. Both are released while
 * the run waits for a user.
 */
export class RunSlot {
  readonly #slots: Semaphore;
  readonly #keepAwake: () => () => void;
  #releaseSlot: (() => void) | undefined;
  #releaseAwake: (() => void) | undefined;
  #wantsSandbox = false;
  #isWaiting = false;
  #isOver = false;

  /** `releaseSlot`: of the slot that the run has already. */
  constructor(slots: Semaphore, keepAwake: () => () => void, releaseSlot?: () => void) {
    this.#slots = slots;
    this.#keepAwake = keepAwake;
    this.#releaseSlot = releaseSlot;
  }

  /** The run waits for a user and holds nothing. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  holdSandbox(): void {
    this.#wantsSandbox = true;
    this.#releaseAwake ??= this.#keepAwake();
  }

  releaseSandbox(): void {
    this.#wantsSandbox = false;
    this.#letSuspend();
  }

  /** Holds nothing until `waiting` settles, then waits for a slot. `signal` ends that wait. */
  async releaseWhile<Result>(waiting: Promise<Result>, signal: AbortSignal): Promise<Result> {
    this.#isWaiting = true;
    this.#letSuspend();
    this.#release();
    try {
      return await waiting;
    } finally {
      await rejectOnAbort(this.#acquire(), signal).catch(() => {});
      this.#isWaiting = false;
      if (this.#wantsSandbox && !signal.aborted) this.holdSandbox();
    }
  }

  end(): void {
    this.#isOver = true;
    this.releaseSandbox();
    this.#release();
  }

  #letSuspend(): void {
    this.#releaseAwake?.();
    this.#releaseAwake = undefined;
  }

  #release(): void {
    this.#releaseSlot?.();
    this.#releaseSlot = undefined;
  }

  async #acquire(): Promise<void> {
    if (this.#releaseSlot || this.#isOver) return;
    const release = await this.#slots.acquire();
    // The run may have ended, or another wait of it may have taken a slot, while this one waited.
    if (this.#isOver || this.#releaseSlot) release();
    else this.#releaseSlot = release;
  }
}
