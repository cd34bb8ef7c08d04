export interface IdlenessOptions {
  afterMs: number;
  /** Called when the time is up. What was used or held in the meantime is for `isIdle` to tell. */
  onIdle(key: string): Promise<void>;
  onProblem(key: string, error: unknown): void;
}

/** Notices what has not been used for a while and is not held. */
export class Idleness {
  readonly #options: IdlenessOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #due = new Set<string>();
  readonly #holds = new Map<string, number>();
  #isClosed = false;

  constructor(options: IdlenessOptions) {
    this.#options = options;
  }

  touch(key: string): void {
    this.forget(key);
    if (this.#isClosed) return;
    const timer = setTimeout(() => void this.#notice(key), this.#options.afterMs);
    timer.unref();
    this.#timers.set(key, timer);
  }

  isIdle(key: string): boolean {
    return this.#due.has(key) && !this.#holds.has(key);
  }

  /** Until the returned function is called, the key is not idle. */
  hold(key: string): () => void {
    this.#holds.set(key, (this.#holds.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#holds.get(key) ?? 1) - 1;
      if (left > 0) return void this.#holds.set(key, left);
      this.#holds.delete(key);
      if (this.#timers.has(key)) this.touch(key);
    };
  }

  forget(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#due.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    for (const key of this.#timers.keys()) this.forget(key);
  }

  async #notice(key: string): Promise<void> {
    this.#due.add(key);
    if (!this.isIdle(key)) return;
    try {
      await this.#options.onIdle(key);
    } catch (error) {
      this.#options.onProblem(key, error);
    }
  }
}
