interface Waiter {
  readonly key: string | undefined;
  enter(): void;
}

/**
 * Lets a number of callers work at once; the others wait in the order of their calls, except those that are prioritized.
 *
 *     await semaphore.run(() => startSandbox(), { key: threadId });
 *     semaphore.prioritize(threadId); // A user waits for this one.
 */
export class Semaphore {
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  get isAnyWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Resolves with the function that releases the slot. Calling it twice does nothing. */
  async acquire({ key }: { key?: string } = {}): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter) => this.#waiting.push({ key, enter }));
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      if (next) next.enter();
      else this.#free += 1;
    };
  }

  async run<Result>(work: () => Promise<Result>, options: { key?: string } = {}): Promise<Result> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** The waiter with this key goes next. */
  prioritize(key: string): void {
    const at = this.#waiting.findIndex((waiter) => waiter.key === key);
    if (at > 0) this.#waiting.unshift(...this.#waiting.splice(at, 1));
  }
}
