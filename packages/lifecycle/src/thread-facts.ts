import type { WakeOptions } from "./contract.ts";

export interface ColdFacts {
  readonly sinceMs: number;
  readonly lastUsedMs: number;
  /** Something was changed since the latest checkpoint, or may have been. */
  readonly isChanged: boolean;
}

/** What is remembered of threads beyond their sandboxes. */
export class ThreadFacts {
  /** With what the sandbox is made anew. A thread without it was removed, or never woken here. */
  readonly #given = new Map<string, WakeOptions>();
  readonly #cold = new Map<string, ColdFacts>();

  given(threadId: string): WakeOptions | undefined {
    return this.#given.get(threadId);
  }

  setGiven(threadId: string, given: WakeOptions): void {
    this.#given.set(threadId, given);
  }

  cold(threadId: string): ColdFacts | undefined {
    return this.#cold.get(threadId);
  }

  setCold(threadId: string, facts: ColdFacts | undefined): void {
    if (facts) this.#cold.set(threadId, facts);
    else this.#cold.delete(threadId);
  }

  forget(threadId: string): void {
    this.#given.delete(threadId);
    this.#cold.delete(threadId);
  }
}
