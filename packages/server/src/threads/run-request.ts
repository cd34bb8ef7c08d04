import type { Awake } from "@atoll/agent";
import { rejectOnAbort } from "@atoll/std";
import type { Preparation } from "./prepare.ts";

/** The thread's sandbox as one run asks for it. */
export class RunSandbox {
  /** As the user is told it, e.g. `cold→hot (35ms)`. */
  state = "unknown";
  readonly #open: () => Promise<Awake>;
  readonly #signal: AbortSignal;
  #isUsed: boolean;
  #latest: Promise<Awake | undefined> = Promise.resolve(undefined);

  /** `isResumed`: the run has used it before, so its state is not the one before the run. */
  constructor(
    preparation: Preparation,
    ids: { threadId: string; runId: string },
    signal: AbortSignal,
    { isResumed = false } = {},
  ) {
    this.#isUsed = isResumed;
    this.#open = () => preparation.wake(ids.threadId, this.#isUsed ? undefined : ids.runId);
    this.#signal = signal;
  }

  /** Whoever asks a second time has found it dead, or has waited so long that it may have rested: it is woken anew. */
  async wake(): Promise<Awake> {
    const waking = this.#open();
    this.#isUsed = true;
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
