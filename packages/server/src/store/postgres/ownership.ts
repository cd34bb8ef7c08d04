import type { Ownership } from "../contract.ts";
import type { EventRow } from "../log/line.ts";
import { toRecord, type ThreadRow } from "../threads/thread-table.ts";
import type { OwnedThreads, OwnedThread } from "./owned-threads.ts";
import type { OwnershipErrors } from "./ownership-errors.ts";
import type { Postgres, Row } from "./postgres.ts";
import { threadColumns } from "./thread-search.ts";

/** Takes threads over from their previous owner, by a token that only rises. */
export class PostgresOwnership implements Ownership {
  readonly #database: Postgres;
  readonly #owned: OwnedThreads;
  readonly #errors: OwnershipErrors;
  readonly #log: OwnedLog;
  readonly #underWay = new Map<string, Promise<boolean>>();

  constructor(parts: { database: Postgres; owned: OwnedThreads; errors: OwnershipErrors; log: OwnedLog }) {
    this.#database = parts.database;
    this.#owned = parts.owned;
    this.#errors = parts.errors;
    this.#log = parts.log;
  }

  takeOver(threadId: string): Promise<boolean> {
    const known = this.#underWay.get(threadId);
    if (known) return known;
    const taking = this.#takeOver(threadId).finally(() => this.#underWay.delete(threadId));
    this.#underWay.set(threadId, taking);
    return taking;
  }

  async letGo(threadId: string): Promise<void> {
    await this.#underWay.get(threadId)?.catch(() => {});
    // This also rolls back what a refused batch may have left.
    if (this.holds(threadId)) await this.#log.reach(threadId).catch(() => {});
    this.#owned.drop(threadId);
    this.#log.forget(threadId);
  }

  holds(threadId: string): boolean {
    return this.#owned.find(threadId) !== undefined;
  }

  async unsettledOf(serverId: string): Promise<readonly string[]> {
    const rows = await this.#database.query<{ id: string }>(
      "SELECT id FROM threads WHERE owner = $1 AND NOT is_settled ORDER BY key",
      [serverId],
    );
    return rows.map(({ id }) => id);
  }

  async unsettledOwners(): Promise<readonly string[]> {
    const rows = await this.#database.query<{ owner: string }>(
      "SELECT DISTINCT owner FROM threads WHERE NOT is_settled ORDER BY owner",
    );
    return rows.map(({ owner }) => owner);
  }

  async verify(): Promise<void> {
    const believed = this.#owned.all();
    if (believed.length === 0) return;
    const rows = await this.#database.query<{ key: number }>(
      "SELECT key FROM threads WHERE key = ANY ($1::bigint[]) AND owner = $2",
      [believed.map(({ key }) => key), this.#errors.serverId],
    );
    const own = new Set(rows.map(({ key }) => key));
    for (const thread of believed)
      if (!own.has(thread.key) && this.#owned.find(thread.threadId) === thread)
        await this.#errors.declareLost(thread.threadId);
  }

  async #takeOver(threadId: string): Promise<boolean> {
    const thread = this.#owned.find(threadId);
    if (thread) {
      if (await this.#isStillOurs(thread)) return true;
      await this.#errors.declareLost(threadId);
    }
    const [row] = await this.#database.query<OwnedRow & Row>(
      `UPDATE threads SET owner = $2, owner_token = owner_token + 1 WHERE id = $1 AND trashed_at IS NULL
       RETURNING ${threadColumns}, owner_token, is_titled_by_user, is_settled, skipped_to`,
      [threadId, this.#errors.serverId],
    );
    if (row === undefined) return false;
    const copy = this.#owned.beginCopy();
    try {
      for await (const page of this.#readEvents(row.key)) copy.add(page);
      const taken = { threadId, key: row.key, token: row.owner_token, isInDoubt: false };
      copy.finish(taken, toThread(row), {
        isTitledByUser: row.is_titled_by_user,
        messageCount: row.message_count,
        isSettled: row.is_settled,
        skippedTo: row.skipped_to,
        createdAt: row.created_at,
        usedAt: row.used_at,
      });
      return true;
    } catch (error) {
      copy.giveUp();
      throw error;
    }
  }

  async *#readEvents(key: number): AsyncIterable<readonly EventRow[]> {
    for (let after = 0; ;) {
      const rows = await this.#database.query<EventRow & Row>(
        `SELECT id, type, run_id, at, payload FROM events WHERE thread_key = $1 AND id > $2
         ORDER BY id LIMIT ${pageRows}`,
        [key, after],
      );
      if (rows.length > 0) yield rows;
      if (rows.length < pageRows) return;
      after = rows.at(-1)?.id ?? after;
    }
  }

  async #isStillOurs({ key }: OwnedThread): Promise<boolean> {
    const rows = await this.#database.query("SELECT FROM threads WHERE key = $1 AND owner = $2", [
      key,
      this.#errors.serverId,
    ]);
    return rows.length > 0;
  }
}

interface OwnedLog {
  reach(threadId: string): Promise<void>;
  forget(threadId: string): void;
}

interface OwnedRow extends ThreadRow {
  readonly owner_token: number;
  readonly is_titled_by_user: boolean;
  readonly is_settled: boolean;
  readonly skipped_to: number;
}

const pageRows = 500;

function toThread(row: ThreadRow) {
  const { title, ...thread } = toRecord(row);
  return title === null ? thread : { ...thread, title };
}
