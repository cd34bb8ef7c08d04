/** Calls back when something has been unused for a while. */
export class Activity {
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #users = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
  }

  /** A use that lasts until the returned function is called. */
  begin(): () => void {
    clearTimeout(this.#timer);
    this.#users += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#timer = setTimeout(this.#onIdle, this.#idleMs);
      this.#timer.unref();
    };
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
