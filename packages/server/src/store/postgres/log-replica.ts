import { setTimeout as wait } from "node:timers/promises";
import type { AtollError } from "@atoll/sandbox";
import type { Append } from "../log/batch.ts";
import type { ThreadChanges } from "../log/placement.ts";
import type { Replica } from "../log/replica.ts";
import { isPassing, isRefused, toDatabaseError } from "./errors.ts";
import type { OwnedThreads, OwnedThread } from "./owned-threads.ts";
import type { OwnershipErrors } from "./ownership-errors.ts";
import type { Postgres } from "./postgres.ts";
import { rollBack } from "./rollback.ts";
import { writeChanges } from "./write-changes.ts";

/**
 * The log's way to Postgres: a batch is one statement, which stores what belongs to threads that are still this server's.
 * While the database is away a batch waits; when that takes too long it is refused, and whatever of it did get there is
 * taken back before the thread's next one.
 */
export class LogReplica implements Replica {
  readonly #database: Postgres;
  readonly #owned: OwnedThreads;
  readonly #errors: OwnershipErrors;

  constructor(database: Postgres, owned: OwnedThreads, errors: OwnershipErrors) {
    this.#database = database;
    this.#owned = owned;
    this.#errors = errors;
  }

  async store(batch: readonly Append[], changes: readonly ThreadChanges[]): Promise<void> {
    const refusals = await this.#storeAll(changes);
    for (const append of batch) {
      const refusal = refusals.get(append.threadId);
      if (refusal) append.refusal = refusal;
      else if (append.refusal) append.refusal = await this.#errors.explain(append.threadId);
    }
  }

  async #storeAll(changes: readonly ThreadChanges[]): Promise<ReadonlyMap<string, AtollError>> {
    const refusals = new Map<string, AtollError>();
    const placed = changes.flatMap((change) => {
      const thread = this.#owned.find(change.threadId);
      return thread ? [{ change, thread }] : [];
    });
    if (placed.length === 0) return refusals;
    try {
      const lost = await this.#persist(placed);
      for (const { threadId } of lost) refusals.set(threadId, await this.#errors.declareLost(threadId));
    } catch (error) {
      // What is wrong with one thread's events is no reason to refuse the others'.
      if (placed.length > 1 && isRefused(error)) {
        for (const { change } of placed)
          for (const refusal of await this.#storeAll([change])) refusals.set(...refusal);
      } else {
        for (const { change } of placed) refusals.set(change.threadId, toDatabaseError(error));
      }
    }
    return refusals;
  }

  /** Gives the threads that are another's by now. */
  async #persist(placed: readonly PlacedChange[]): Promise<readonly OwnedThread[]> {
    const giveUpAt = performance.now() + this.#database.waitMs;
    for (;;) {
      try {
        const lost = await this.#clearDoubts(placed);
        const kept = placed.filter(({ thread }) => !lost.includes(thread));
        return [...lost, ...(await writeChanges(this.#database, kept))];
      } catch (error) {
        if (!isRefused(error)) for (const { thread } of placed) thread.isInDoubt = true;
        if (!isPassing(error) || performance.now() > giveUpAt) throw error;
        await wait(retryMs);
      }
    }
  }

  async #clearDoubts(placed: readonly PlacedChange[]): Promise<readonly OwnedThread[]> {
    const doubtful = placed.filter(({ thread }) => thread.isInDoubt);
    return doubtful.length === 0 ? [] : rollBack(this.#database, this.#errors.serverId, doubtful);
  }
}

export interface PlacedChange {
  readonly change: ThreadChanges;
  readonly thread: OwnedThread;
}

const retryMs = 50;
