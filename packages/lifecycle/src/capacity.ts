import type { Clock } from "./clock.ts";
import type { StateChangeReason } from "./contract.ts";
import type { LifecyclePolicy } from "./policy.ts";
import type { Resident, Residents } from "./thread-sandbox.ts";

export interface ReliefOptions {
  readonly residents: Residents;
  readonly policy: LifecyclePolicy;
  readonly clock: Clock;
  readonly availableBytes: () => Promise<number>;
  readonly onProblem: (threadId: string, error: unknown) => void;
  /** Each is false when something goes on in the sandbox. */
  pause(threadId: string, reason: StateChangeReason): Promise<boolean>;
  evict(threadId: string, reason: StateChangeReason): Promise<boolean>;
}

const lookEveryMs = 10_000;
const longestWaitMs = 15_000;

/** Keeps to the caps and to the host's memory, at the cost of those that were used least recently. */
export class Relief {
  readonly #options: ReliefOptions;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #stopLooking = () => {};
  #isClosed = false;

  constructor(options: ReliefOptions) {
    this.#options = options;
  }

  /** Soon, in the background. The caps are soft: whatever is in use stays. */
  request(): void {
    this.#isWanted = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#relieve()
      .catch((error: unknown) => this.#options.onProblem("", error))
      .finally(() => {
        this.#running = undefined;
        this.#lookLater();
      });
  }

  /** For a newcomer: while others make room it waits, so that a burst of them cannot outrun the relief; but not for long. */
  async makeRoom(): Promise<void> {
    if (!this.#running) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.#options.clock.after(longestWaitMs, resolve);
    await Promise.race([this.#running, promise]);
    stopWaiting();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopLooking();
    await this.#running;
  }

  /** Memory runs short without anybody asking for a sandbox. */
  #lookLater(): void {
    this.#stopLooking();
    if (this.#isClosed || this.#options.residents.ids().length === 0) return;
    this.#stopLooking = this.#options.clock.after(lookEveryMs, () => this.request());
  }

  async #relieve(): Promise<void> {
    const { residents, policy, pause, evict, availableBytes } = this.#options;
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      await this.#while(
        () => residents.count("hot") > policy.maxHot,
        () => residents.idle("hot"),
        ({ threadId, handle }) =>
          handle.info.capabilities.pause ? pause(threadId, "too_many_hot") : evict(threadId, "too_many_hot"),
      );
      await this.#while(
        () => residents.count("warm") > policy.maxWarm,
        () => residents.idle("warm"),
        ({ threadId }) => evict(threadId, "too_many_warm"),
      );
      await this.#while(
        async () => (await availableBytes()) < policy.minAvailableBytes,
        () => [...residents.idle("warm"), ...residents.idle("hot")],
        ({ threadId }) => evict(threadId, "memory_short"),
      );
    }
  }

  /** Each is tried once: what is busy now is passed over. */
  async #while(
    isOver: () => boolean | Promise<boolean>,
    candidates: () => readonly Resident[],
    move: (resident: Resident) => Promise<boolean>,
  ): Promise<void> {
    const tried = new Set<string>();
    while (!this.#isClosed && (await isOver())) {
      const next = candidates().find(({ threadId }) => !tried.has(threadId));
      if (!next) return;
      tried.add(next.threadId);
      await move(next).catch((error: unknown) => this.#options.onProblem(next.threadId, error));
    }
  }
}
