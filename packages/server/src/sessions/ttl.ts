import type { ThreadStore } from "../store/contract.ts";
import { type SessionClock, witness } from "./clock.ts";

export interface LivesOptions {
  readonly threads: Pick<ThreadStore, "get" | "noteTemporary">;
  readonly clock: SessionClock;
  /** How long whoever leaves has to come back. */
  readonly leaveMs: number;
  onProblem(threadId: string, error: unknown): void;
  /** Something ends earlier than was known. */
  onEarlier(): void;
}

interface Life {
  /** On the steady clock. */
  dueMs: number;
  /** On the wall's, as the store has it: not before the true end, so that few uses need a write. */
  storedMs: number;
  uses: number;
  isLeaving: boolean;
}

/** When the temporary threads that this server owns end. */
export class Lives {
  readonly #options: LivesOptions;
  readonly #nowMs: () => number;
  readonly #lives = new Map<string, Life>();

  constructor(options: LivesOptions) {
    this.#options = options;
    this.#nowMs = witness(options.clock);
  }

  /** From now until the returned function is called it is in use; that also takes back a leaving. */
  use(threadId: string): () => void {
    const life = this.#open(threadId);
    if (!life) return () => {};
    life.uses += 1;
    life.isLeaving = false;
    this.#prolong(threadId, life);
    let isUsed = true;
    return () => {
      if (!isUsed) return;
      isUsed = false;
      life.uses -= 1;
      this.#prolong(threadId, life);
    };
  }

  /** Unless somebody uses it again soon, it ends. Who uses it now is no hindrance: the connection of a page that is gone may be there a little longer. */
  async leave(threadId: string): Promise<void> {
    const { clock, leaveMs, threads } = this.#options;
    const life = this.#open(threadId);
    if (!life) return;
    life.isLeaving = true;
    life.dueMs = Math.min(life.dueMs, clock.elapsedMs() + leaveMs);
    life.storedMs = Math.ceil(clock.now() + this.#leftMs(life));
    this.#options.onEarlier();
    await threads.noteTemporary(threadId, { expiresAtMs: life.storedMs });
  }

  /** Undefined for a thread that is not temporary, or not here. */
  expiresAtMs(threadId: string): number | undefined {
    const life = this.#open(threadId);
    return life && Math.ceil(this.#options.clock.now() + this.#leftMs(life));
  }

  isDue(threadId: string): boolean {
    const life = this.#open(threadId);
    return life !== undefined && life.uses === 0 && this.#leftMs(life) === 0;
  }

  listDue(): string[] {
    return [...this.#lives.keys()].filter((threadId) => this.isDue(threadId));
  }

  /** Until the next one that nobody uses is due. */
  nextInMs(): number | undefined {
    const left = [...this.#lives.values()].filter(({ uses }) => uses === 0).map((life) => this.#leftMs(life));
    return left.length === 0 ? undefined : Math.min(...left);
  }

  /** Looked at again after this time, if nobody uses it before. */
  postpone(threadId: string, byMs: number): void {
    const life = this.#lives.get(threadId);
    if (life) life.dueMs = this.#options.clock.elapsedMs() + byMs;
  }

  forget(threadId: string): void {
    this.#lives.delete(threadId);
  }

  #open(threadId: string): Life | undefined {
    const { threads, clock } = this.#options;
    const temporary = threads.get(threadId)?.temporary;
    if (!temporary) {
      this.#lives.delete(threadId);
      return undefined;
    }
    const known = this.#lives.get(threadId);
    if (known) return known;
    // An end further off than a whole life was written before the clock was set back.
    const mostMs = temporary.ttlMs + slackOf(temporary.ttlMs);
    const leftMs = Math.min(Math.max(0, temporary.expiresAtMs - this.#nowMs()), mostMs);
    const storedMs = clock.now() + leftMs;
    const life: Life = { dueMs: clock.elapsedMs() + leftMs, storedMs, uses: 0, isLeaving: false };
    this.#lives.set(threadId, life);
    this.#options.onEarlier();
    return life;
  }

  #prolong(threadId: string, life: Life): void {
    const { threads, clock, leaveMs, onProblem } = this.#options;
    const ttlMs = threads.get(threadId)?.temporary?.ttlMs;
    if (ttlMs === undefined) return;
    const spanMs = life.isLeaving ? Math.min(leaveMs, ttlMs) : ttlMs;
    life.dueMs = clock.elapsedMs() + spanMs;
    const expiresAtMs = clock.now() + spanMs;
    const isKept = life.storedMs >= expiresAtMs && life.storedMs <= expiresAtMs + slackOf(ttlMs) + 1;
    if (isKept) return;
    life.storedMs = Math.ceil(expiresAtMs + (life.isLeaving ? 0 : slackOf(ttlMs)));
    threads
      .noteTemporary(threadId, { expiresAtMs: life.storedMs })
      .catch((error: unknown) => onProblem(threadId, error));
  }

  #leftMs(life: Life): number {
    return Math.max(0, life.dueMs - this.#options.clock.elapsedMs());
  }
}

/** A use is written down only if the one before it was that long ago. */
export function slackOf(ttlMs: number): number {
  return Math.min(Math.ceil(ttlMs / 20), 15_000);
}
