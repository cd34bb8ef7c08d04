import { AtollError } from "@atoll/sandbox";

const maxPerThread = 4;
const maxTotal = 32;

/** How many may look at browsers at the same time: each costs a stream of pictures. */
export class Viewers {
  readonly #counts = new Map<string, number>();
  #total = 0;

  /** The returned function ends it. Fails with `busy` when there are as many as there may be. */
  enter(threadId: string): () => void {
    const count = this.#counts.get(threadId) ?? 0;
    if (count >= maxPerThread || this.#total >= maxTotal)
      throw new AtollError("busy", "as many look at browsers already as may at the same time");
    this.#counts.set(threadId, count + 1);
    this.#total += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#total -= 1;
      const left = (this.#counts.get(threadId) ?? 1) - 1;
      if (left > 0) this.#counts.set(threadId, left);
      else this.#counts.delete(threadId);
    };
  }
}
