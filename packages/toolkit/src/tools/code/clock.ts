/** Rings once, after a time that does not count while it is paused. */
export class Clock {
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #ring: () => void;

  constructor(timeMs: number, ring: () => void) {
    this.#leftMs = timeMs;
    this.#ring = ring;
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
    this.#timer = setTimeout(this.#ring, Math.max(1, this.#leftMs));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
