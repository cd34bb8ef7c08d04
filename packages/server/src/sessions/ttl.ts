import type { ThreadStore } from "../store/contract.ts";
import { type SessionClock, witness } from "./clock.ts";

export interface TtlsOptions {
  readonly threads: Pick<ThreadStore, "get" | "noteTemporary">;
  readonly clock: SessionClock;
  /** How long a client that leaves has to come back. */
  readonly leaveMs: number;
  onProblem(threadId: string, error: unknown): void;
  /** A thread ends earlier than the next one known so far. */
  onEarlier(): void;
}

interface Entry {
  /** On the monotonic clock. */
  dueMs: number;
  /** On the wall clock, as the store has it. Never before the true end, so that few uses need a write. */
  storedMs: number;
  uses: number;
  isLeaving: boolean;
}

/** When the temporary threads of this server end. */
export class ThreadTtls {
  readonly #options: TtlsOptions;
  readonly #nowMs: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(options: TtlsOptions) {
    this.#options = options;
    this.#nowMs = witness(options.clock);
  }

  /** Keeps the thread in use until the returned function is called; that also cancels `leave`. */
  use(threadId: string): () => void {
    const entry = this.#open(threadId);
    if (!entry) return () => {};
    entry.uses += 1;
    entry.isLeaving = false;
    this.#prolong(threadId, entry);
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      entry.uses -= 1;
      this.#prolong(threadId, entry);
    };
  }

  /** Ends the thread unless it is used again soon. Current uses do not count: the connection of a closed page may linger. */
  async leave(threadId: string): Promise<void> {
    const { clock, leaveMs, threads } = this.#options;
    const entry = this.#open(threadId);
    if (!entry) return;
    entry.isLeaving = true;
    entry.dueMs = Math.min(entry.dueMs, clock.elapsedMs() + leaveMs);
    entry.storedMs = Math.ceil(clock.now() + this.#leftMs(entry));
    this.#options.onEarlier();
    await threads.noteTemporary(threadId, { expiresAtMs: entry.storedMs });
  }

  /** Undefined for a thread that is not temporary, or not here. */
  expiresAtMs(threadId: string): number | undefined {
    const entry = this.#open(threadId);
    return entry && Math.ceil(this.#options.clock.now() + this.#leftMs(entry));
  }

  isDue(threadId: string): boolean {
    const entry = this.#open(threadId);
    return entry !== undefined && entry.uses === 0 && this.#leftMs(entry) === 0;
  }

  listDue(): string[] {
    return [...this.#entries.keys()].filter((threadId) => this.isDue(threadId));
  }

  /** Until the next unused thread is due. */
  nextInMs(): number | undefined {
    const left = [...this.#entries.values()]
      .filter(({ uses }) => uses === 0)
      .map((entry) => this.#leftMs(entry));
    return left.length === 0 ? undefined : Math.min(...left);
  }

  /** Makes the thread due after this time, unless it is used before. */
  postpone(threadId: string, byMs: number): void {
    const entry = this.#entries.get(threadId);
    if (entry) entry.dueMs = this.#options.clock.elapsedMs() + byMs;
  }

  forget(threadId: string): void {
    this.#entries.delete(threadId);
  }

  #open(threadId: string): Entry | undefined {
    const { threads, clock } = this.#options;
    const temporary = threads.get(threadId)?.temporary;
    if (!temporary) {
      this.#entries.delete(threadId);
      return undefined;
    }
    const known = this.#entries.get(threadId);
    if (known) return known;
    // An end further off than a whole TTL was written before the clock was set back.
    const mostMs = temporary.ttlMs + slackOf(temporary.ttlMs);
    const leftMs = Math.min(Math.max(0, temporary.expiresAtMs - this.#nowMs()), mostMs);
    const storedMs = clock.now() + leftMs;
    const entry: Entry = { dueMs: clock.elapsedMs() + leftMs, storedMs, uses: 0, isLeaving: false };
    this.#entries.set(threadId, entry);
    this.#options.onEarlier();
    return entry;
  }

  #prolong(threadId: string, entry: Entry): void {
    const { threads, clock, leaveMs, onProblem } = this.#options;
    const ttlMs = threads.get(threadId)?.temporary?.ttlMs;
    if (ttlMs === undefined) return;
    const spanMs = entry.isLeaving ? Math.min(leaveMs, ttlMs) : ttlMs;
    entry.dueMs = clock.elapsedMs() + spanMs;
    const expiresAtMs = clock.now() + spanMs;
    const isKept = entry.storedMs >= expiresAtMs && entry.storedMs <= expiresAtMs + slackOf(ttlMs) + 1;
    if (isKept) return;
    entry.storedMs = Math.ceil(expiresAtMs + (entry.isLeaving ? 0 : slackOf(ttlMs)));
    threads
      .noteTemporary(threadId, { expiresAtMs: entry.storedMs })
      .catch((error: unknown) => onProblem(threadId, error));
  }

  #leftMs(entry: Entry): number {
    return Math.max(0, entry.dueMs - this.#options.clock.elapsedMs());
  }
}

/** A use is stored only if the last stored one was that long ago. */
export function slackOf(ttlMs: number): number {
  return Math.min(Math.ceil(ttlMs / 20), 15_000);
}
