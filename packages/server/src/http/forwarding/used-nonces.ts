const spanMs = 10_000;
const maxKept = 500_000;

/** Remembers nonces for as long as their signatures are valid. */
export class UsedNonces {
  readonly #validMs: number;
  readonly #maxKept: number;
  /** By the span of time in which they were made. */
  readonly #spans = new Map<number, Set<string>>();
  #count = 0;
  /** What was made earlier is not remembered any more, and therefore refused, also by a clock that was set back. */
  #forgottenBeforeMs = 0;

  constructor(options: { validMs: number; maxKept?: number }) {
    this.#validMs = options.validMs;
    this.#maxKept = options.maxKept ?? maxKept;
  }

  get count(): number {
    return this.#count;
  }

  /** True once for each. False as well when there are too many to remember: a replay is worse than a refusal. */
  use(nonce: string, madeAtMs: number, nowMs: number): boolean {
    this.#forget(nowMs - this.#validMs);
    if (madeAtMs < this.#forgottenBeforeMs || this.#count >= this.#maxKept) return false;
    const span = Math.floor(madeAtMs / spanMs);
    const used = this.#spans.get(span) ?? new Set();
    if (used.has(nonce)) return false;
    this.#spans.set(span, used.add(nonce));
    this.#count += 1;
    return true;
  }

  #forget(beforeMs: number): void {
    for (const [span, used] of this.#spans) {
      const endMs = (span + 1) * spanMs;
      if (endMs > beforeMs) continue;
      this.#spans.delete(span);
      this.#count -= used.size;
      this.#forgottenBeforeMs = Math.max(this.#forgottenBeforeMs, endMs);
    }
  }
}
