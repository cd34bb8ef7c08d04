import { AtollError } from "../errors.ts";

/** One at a time, in the order asked. Who gives up leaves the queue. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  async take(signal: AbortSignal | undefined): Promise<() => void> {
    if (this.#isTaken) await this.#wait(signal);
    this.#isTaken = true;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#isTaken = false;
      this.#waiting.shift()?.();
    };
  }

  async pass<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    if (signal?.aborted) throw givenUp(signal);
    const done = await this.take(signal);
    try {
      return await work();
    } finally {
      done();
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(givenUp(signal));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = () => {
      signal?.removeEventListener("abort", leave);
      // Before anybody else can come.
      this.#isTaken = true;
      resolve();
    };
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      reject(givenUp(signal));
    };
    this.#waiting.push(next);
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }
}

function givenUp(signal: AbortSignal | undefined): AtollError {
  return new AtollError("aborted", "the caller gave up before its turn came", { cause: signal?.reason });
}
