import { AtollError } from "@atoll/sandbox";
import type { Store } from "../store/contract.ts";
import { type SessionClock, witness } from "./clock.ts";
import type { ThreadTtls } from "./ttl.ts";

export interface ExpiryOptions {
  readonly store: Pick<Store, "threads" | "uploads">;
  readonly ttls: ThreadTtls;
  readonly clock: SessionClock;
  readonly ttlMs: number;
  /** With several servers: makes the thread this server's, or rejects when it is another's, which ends it then. */
  claim?: ((threadId: string) => Promise<unknown>) | undefined;
  /** Something runs or waits in it. */
  isBusy(threadId: string): boolean;
  end(threadId: string): Promise<unknown>;
  onProblem(threadId: string, error: unknown): void;
}

/** Other servers, and the clock on the wall, say nothing when something changes: so one looks at least this often. */
const longestSleepMs = 30_000;
const shortestSleepMs = 50;
/** For one that cannot end now. */
const againMs = 5000;

/** Ends temporary threads when their time has come: this server's own, and those that nobody has. */
export class Expiry {
  readonly #options: ExpiryOptions;
  readonly #nowMs: () => number;
  #disarm = () => {};
  #isClosed = false;
  #looking: Promise<void> | undefined;

  constructor(options: ExpiryOptions) {
    this.#options = options;
    this.#nowMs = witness(options.clock);
  }

  /** Looks at once, then when something is due. */
  start(): Promise<void> {
    return this.look();
  }

  /** Sooner than it was going to, if need be. */
  rearm(): void {
    if (!this.#looking && !this.#isClosed) this.#arm();
  }

  look(): Promise<void> {
    this.#disarm();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (!this.#isClosed) this.#arm();
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#disarm();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { store, ttls, ttlMs, onProblem } = this.#options;
    try {
      const listed = await store.threads.listExpired(this.#nowMs());
      for (const threadId of listed) await this.#claim(threadId);
      for (const threadId of ttls.listDue()) await this.endIfDue(threadId);
      await store.uploads.removeStale(this.#nowMs() - ttlMs);
    } catch (error) {
      onProblem("", error);
    }
  }

  /** True when it has ended. */
  async endIfDue(threadId: string): Promise<boolean> {
    const { ttls, isBusy, end, onProblem } = this.#options;
    if (!ttls.isDue(threadId)) return false;
    // A run that goes on is not cut; its end is a use.
    ttls.postpone(threadId, againMs);
    if (isBusy(threadId)) return false;
    try {
      await end(threadId);
      return true;
    } catch (error) {
      onProblem(threadId, error);
      return false;
    }
  }

  /** Its life is known here from then on. */
  async #claim(threadId: string): Promise<void> {
    const { claim, ttls, onProblem } = this.#options;
    if (this.#isClosed) return;
    try {
      await claim?.(threadId);
      ttls.expiresAtMs(threadId);
    } catch (error) {
      const isElsewhere = error instanceof AtollError && error.code === "not_owner";
      if (!isElsewhere) onProblem(threadId, error);
    }
  }

  #arm(): void {
    this.#disarm();
    const nextInMs = this.#options.ttls.nextInMs() ?? longestSleepMs;
    const sleepMs = Math.min(Math.max(nextInMs, shortestSleepMs), longestSleepMs);
    this.#disarm = this.#options.clock.after(sleepMs, () => void this.look());
  }
}
