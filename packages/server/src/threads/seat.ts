import type { Slots } from "./run-slot.ts";

/** A run's place among those that may go on at once. It is given back while the run waits for a user. */
export class Seat {
  readonly #slots: Slots;
  #release: (() => void) | undefined;
  #isOver = false;

  /** `release`: of the place that it has already. */
  constructor(slots: Slots, release?: () => void) {
    this.#slots = slots;
    this.#release = release;
  }

  leave(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** Resolves when there is a place again. */
  async comeBack(): Promise<void> {
    if (this.#release || this.#isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#slots.take((release) => {
      if (this.#isOver) release();
      else this.#release = release;
      resolve();
    });
    await promise;
  }

  end(): void {
    this.#isOver = true;
    this.leave();
  }
}
