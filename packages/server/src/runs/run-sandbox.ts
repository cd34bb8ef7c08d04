import type { Awake } from "@atoll/agent";
import { rejectOnAbort } from "./abort.ts";
import type { Preparation } from "./preparation.ts";

/** The thread's sandbox as one run asks for it. */
export class RunSandbox {
  /** As the user is told it, e.g. `cold→hot (35ms)`. */
  state = "unknown";
  readonly #open: () => Promise<Awake>;
  readonly #signal: AbortSignal;
  #latest: Promise<Awake | undefined> = Promise.resolve(undefined);

  constructor(preparation: Preparation, ids: { threadId: string; runId: string }, signal: AbortSignal) {
    this.#open = () => preparation.wake(ids.threadId, ids.runId);
    this.#signal = signal;
  }

  /** Whoever asks a second time has found it dead: it is woken anew. */
  async wake(): Promise<Awake> {
    const waking = this.#open();
    this.#latest = waking.catch(() => undefined);
    const awake = await rejectOnAbort(waking, this.#signal);
    this.state = awake.state;
    return awake;
  }

  /** Resolves when no wake is under way any more: whether the run had it. */
  async settled(): Promise<boolean> {
    return (await this.#latest) !== undefined;
  }
}
