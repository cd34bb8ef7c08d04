import type { TrashedThread, TrashStore } from "../trash/contract.ts";
import { selectTrash, toTrashed, type TrashRow } from "../trash/trash-store.ts";
import type { OwnedThreads } from "./owned-threads.ts";
import type { OwnershipErrors } from "./ownership-errors.ts";
import type { Postgres, Row } from "./postgres.ts";

export class PostgresTrashStore implements TrashStore {
  readonly #database: Postgres;
  readonly #owned: OwnedThreads;
  readonly #errors: OwnershipErrors;
  readonly #onGone: { trashed(threadId: string): void; purged(): void };

  constructor(parts: {
    database: Postgres;
    owned: OwnedThreads;
    errors: OwnershipErrors;
    onGone: { trashed(threadId: string): void; purged(): void };
  }) {
    this.#database = parts.database;
    this.#owned = parts.owned;
    this.#errors = parts.errors;
    this.#onGone = parts.onGone;
  }

  /** A raised token keeps out a batch that is still on its way. */
  async put(threadId: string): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE threads SET trashed_at = $3, trashed_age = (SELECT age_ms FROM age_clock), is_settled = true,
         owner_token = owner_token + 1
       WHERE id = $1 AND owner = $2 AND trashed_at IS NULL RETURNING key`,
      [threadId, this.#errors.serverId, Date.now()],
    );
    if (rows.length === 0 && !(await this.has(threadId))) {
      const loss = await this.#errors.declareLost(threadId);
      if (loss.code === "not_found") return false;
      throw loss;
    }
    this.#owned.drop(threadId);
    this.#onGone.trashed(threadId);
    return true;
  }

  async has(threadId: string): Promise<boolean> {
    const rows = await this.#database.query("SELECT FROM threads WHERE id = $1 AND trashed_at IS NOT NULL", [
      threadId,
    ]);
    return rows.length > 0;
  }

  async list(): Promise<readonly TrashedThread[]> {
    return (await this.#database.query<TrashRow & Row>(selectTrash)).map(toTrashed);
  }

  async restore(threadId: string): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE threads SET trashed_at = NULL, trashed_age = NULL, used_at = greatest(used_at, $2::bigint),
         used_age = (SELECT age_ms FROM age_clock)
       WHERE id = $1 AND trashed_at IS NOT NULL RETURNING key`,
      [threadId, Date.now()],
    );
    return rows.length > 0;
  }

  async purge(threadId: string): Promise<boolean> {
    const rows = await this.#database.transact(async (query) => {
      await query(`SET LOCAL statement_timeout = ${purgeDeadlineMs}`);
      return query("DELETE FROM threads WHERE id = $1 AND trashed_at IS NOT NULL RETURNING key", [threadId]);
    }, purgeDeadlineMs);
    if (rows.length > 0) this.#onGone.purged();
    return rows.length > 0;
  }
}

/** A log of a million events is a while in the going. */
const purgeDeadlineMs = 120_000;
