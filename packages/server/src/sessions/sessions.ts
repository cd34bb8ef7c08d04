import type { ThreadSandboxes } from "@atoll/lifecycle";
import { KeyedMutex } from "@atoll/std";
import { AtollError } from "@atoll/sandbox";
import type { Runner } from "../threads/contract.ts";
import type { RunnerOptions } from "../threads/options.ts";
import type { Store, TemporaryThread, ThreadRecord } from "../store/contract.ts";
import {
  isTemporaryThread,
  makeTemporaryThreadId,
  threadIdOfSession,
  wasGivenOut,
} from "../store/temporary-ids.ts";
import { type SessionClock, sessionClock } from "./clock.ts";
import { Expiry } from "./expiry.ts";
import { ThreadTtls, slackOf } from "./ttl.ts";
import { Quota } from "./quota.ts";

export interface SessionLimits {
  /** From the last use. */
  readonly ttlMs: number;
  readonly maxBytes: number;
  /** How long a page that has left has to come back. */
  readonly leaveMs: number;
}

export interface SessionsOptions extends SessionLimits {
  readonly store: Pick<Store, "threads" | "uploads" | "blobs" | "secret">;
  readonly runner: () => Pick<Runner, "activity" | "remove">;
  readonly sandboxes: Pick<ThreadSandboxes, "describe" | "state" | "keepAwake">;
  /** With several servers: see `Expiry`. */
  claim?: ((threadId: string) => Promise<unknown>) | undefined;
  readonly clock?: SessionClock;
  onProblem(threadId: string, error: unknown): void;
}

/** Temporary threads: how they come to be, what they may hold, and when they end. */
export class Sessions {
  readonly quota: Quota;
  readonly expiry: Expiry;
  readonly #options: SessionsOptions;
  readonly #clock: SessionClock;
  readonly #ttls: ThreadTtls;
  readonly #ending = new Map<string, Promise<boolean>>();
  readonly #mutex = new KeyedMutex();
  readonly #openings = new KeyedMutex();

  constructor(options: SessionsOptions) {
    const { store, clock = sessionClock, leaveMs, ttlMs, onProblem } = options;
    this.#options = options;
    this.#clock = clock;
    this.quota = new Quota(options);
    const onEarlier = () => this.expiry.rearm();
    this.#ttls = new ThreadTtls({ threads: store.threads, clock, leaveMs, onProblem, onEarlier });
    this.expiry = new Expiry({
      store,
      ttls: this.#ttls,
      clock,
      ttlMs,
      claim: options.claim,
      isBusy: (threadId) => this.#isBusy(threadId),
      end: (threadId) => this.end(threadId),
      onProblem,
    });
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** What makes a new thread temporary. */
  begin(): { readonly id: string; readonly temporary: TemporaryThread } {
    return { id: makeTemporaryThreadId(this.#options.store.secret), temporary: this.#makeFacts() };
  }

  threadIdOf(sessionId: string): string {
    return threadIdOfSession(this.#options.store.secret, sessionId);
  }

  /** The thread of a session that a client has named; its first use makes it, also after an earlier one has ended. */
  open(sessionId: string): Promise<ThreadRecord> {
    const id = this.threadIdOf(sessionId);
    return this.#openings.run(id, () => this.#open(id));
  }

  async #open(id: string): Promise<ThreadRecord> {
    const { threads } = this.#options.store;
    await this.expiry.endIfDue(id);
    // Also one that somebody else ends.
    while (this.#ending.has(id)) await this.#ending.get(id)?.catch(() => {});
    return threads.get(id) ?? threads.create({ id, fileIds: [], temporary: this.#makeFacts() });
  }

  /** Whether the id is of a temporary thread that is no more. */
  hasEnded(threadId: string): boolean {
    const { threads, secret } = this.#options.store;
    if (!isTemporaryThread(threadId)) return false;
    if (!threads.get(threadId)) return wasGivenOut(secret, threadId);
    return this.#ending.has(threadId) || (this.#ttls.isDue(threadId) && !this.#isBusy(threadId));
  }

  /** It does not end before the returned function is called; from then on its time counts anew. */
  use(threadId: string): () => void {
    if (!isTemporaryThread(threadId)) return () => {};
    const end = this.#ttls.use(threadId);
    return () => {
      end();
      this.quota.noteSandbox(threadId).catch((error: unknown) => {
        if (!isCode(error, "not_found")) this.#options.onProblem(threadId, error);
      });
    };
  }

  /** The same for whoever watches its sandbox, which does not rest meanwhile either. */
  keepAwake(threadId: string): () => void {
    const ends = [this.use(threadId), this.#options.sandboxes.keepAwake(threadId)];
    return () => ends.forEach((end) => end());
  }

  /** What a runner has to know of temporary threads. */
  forRunner(): Pick<RunnerOptions, "useThread" | "lastStatus" | "roomBytes" | "keptBytes" | "branchId"> {
    return {
      useThread: (threadId) => this.use(threadId),
      lastStatus: async (threadId) =>
        (await this.#isFull(threadId)) ? { type: "status", ...fullSession } : undefined,
      roomBytes: (threadId) => this.quota.roomBytes(threadId),
      keptBytes: (threadId) => this.quota.keptBytes(threadId),
      branchId: ({ temporary }) => temporary && this.begin(),
    };
  }

  /** Whoever adds something looks first how much there is: one at a time. */
  inTurn<Result>(threadId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(threadId, work);
  }

  /** Its user has gone, but may come back at once, as after a reload. */
  leave(threadId: string): Promise<void> {
    return this.#ttls.leave(threadId);
  }

  expiresAtMs(threadId: string): number | undefined {
    return this.#ttls.expiresAtMs(threadId);
  }

  /** With all it has, also the uploads that no other thread uses. False when there was none. */
  end(threadId: string): Promise<boolean> {
    const known = this.#ending.get(threadId);
    if (known) return known;
    const ending = this.#end(threadId).finally(() => this.#ending.delete(threadId));
    this.#ending.set(threadId, ending);
    return ending;
  }

  async close(): Promise<void> {
    await this.expiry.close();
    await Promise.allSettled(this.#ending.values());
  }

  async #end(threadId: string): Promise<boolean> {
    const { store, runner } = this.#options;
    const files = await store.uploads.ofThread(threadId);
    const isRemoved = await runner().remove(threadId);
    await store.uploads.removeIfUnused(files.map(({ fileId }) => fileId));
    this.#ttls.forget(threadId);
    return isRemoved;
  }

  /** What cannot be asked is no reason for a run to fail. */
  #isFull(threadId: string): Promise<boolean> {
    return this.quota.roomBytes(threadId).then(
      (roomBytes) => roomBytes === 0,
      () => false,
    );
  }

  #isBusy(threadId: string): boolean {
    const { runId, queued } = this.#options.runner().activity(threadId);
    return runId !== undefined || queued.length > 0;
  }

  #makeFacts(): TemporaryThread {
    const { ttlMs, maxBytes } = this.#options;
    return { expiresAtMs: this.#clock.now() + ttlMs + slackOf(ttlMs), ttlMs, maxBytes, sandboxBytes: 0 };
  }
}

const fullSession = {
  code: "session_full" as const,
  text: "This temporary thread holds as much as it may (SESSION_MAX_BYTES): remove files before more are written.",
};

function isCode(error: unknown, code: AtollError["code"]): boolean {
  return error instanceof AtollError && error.code === code;
}
