export interface MutexOptions {
  /** What a caller whose signal aborts while it waits is rejected with. Default: the signal's reason. */
  makeAbortError?(signal: AbortSignal): unknown;
}

/**
 * A mutex whose waiters can give up, which `async-mutex` does not offer. Waiters get it in the order of their calls.
 *
 *     await mutex.run(() => kernel.run(code), { signal });
 */
export class Mutex {
  readonly #waiting: (() => void)[] = [];
  readonly #makeAbortError: (signal: AbortSignal) => unknown;
  #isLocked = false;

  constructor({ makeAbortError = (signal) => signal.reason }: MutexOptions = {}) {
    this.#makeAbortError = makeAbortError;
  }

  get isLocked(): boolean {
    return this.#isLocked;
  }

  /** Resolves with the function that releases it. Calling it twice does nothing. */
  async acquire({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<() => void> {
    if (signal?.aborted) throw this.#makeAbortError(signal);
    if (this.#isLocked) await this.#wait(signal);
    this.#isLocked = true;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#waiting.shift();
      // Handed on without a gap in which another caller could take it.
      if (next) next();
      else this.#isLocked = false;
    };
  }

  async run<Result>(
    work: () => Promise<Result>,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Result> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(enter), 1);
      reject(signal && this.#makeAbortError(signal));
    };
    this.#waiting.push(enter);
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }
}
