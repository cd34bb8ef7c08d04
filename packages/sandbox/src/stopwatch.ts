/** Rings once, after a time that does not count while it is paused. */
export class Stopwatch {
  readonly #onTime: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, onTime: () => void) {
    this.#leftMs = milliseconds;
    this.#onTime = onTime;
    this.resume();
  }

  pause(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }

  resume(): void {
    if (this.#timer) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onTime, Math.max(1, this.#leftMs));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
