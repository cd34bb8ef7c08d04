import { AtollError } from "@atoll/sandbox";
import type { Database } from "../database.ts";
import type { ShareRecord, ShareStore } from "./contract.ts";

export class SqliteShareStore implements ShareStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async put(share: ShareRecord): Promise<void> {
    this.#database.transact(
      () => {
        const { changes } = this.#database
          .statement(
            `INSERT INTO shares (id, thread_key, snapshot, hashes, created_at, shared_at)
             SELECT ?1, key, ?3, ?4, ?5, ?6 FROM threads WHERE id = ?2
             ON CONFLICT (id) DO UPDATE SET snapshot = ?3, hashes = ?4, shared_at = ?6`,
          )
          .run(...toValues(share));
        if (Number(changes) === 0) throw noThread();
      },
      { isDurable: true },
    );
  }

  async get(shareId: string): Promise<ShareRecord | undefined> {
    const row = this.#database.statement(`${selectShares} WHERE shares.id = ?`).get(shareId);
    return row === undefined ? undefined : toShare(row as unknown as ShareRow);
  }

  async ofThread(threadId: string): Promise<readonly ShareRecord[]> {
    const rows = this.#database
      .statement(`${selectShares} WHERE threads.id = ? ORDER BY shares.created_at, shares.id`)
      .all(threadId) as unknown as ShareRow[];
    return rows.map(toShare);
  }

  async remove(threadId: string, shareId: string): Promise<boolean> {
    return this.#database.transact(
      () => {
        const { changes } = this.#database
          .statement(
            "DELETE FROM shares WHERE id = ? AND thread_key = (SELECT key FROM threads WHERE id = ?)",
          )
          .run(shareId, threadId);
        return Number(changes) > 0;
      },
      { isDurable: true },
    );
  }
}

/** As SQLite and Postgres give it. */
export interface ShareRow {
  readonly id: string;
  readonly thread_id: string;
  readonly snapshot: string;
  readonly hashes: string;
  readonly created_at: number;
  readonly shared_at: number;
}

export const selectShares = `SELECT shares.id AS id, threads.id AS thread_id, snapshot, hashes,
  shares.created_at AS created_at, shared_at FROM shares
  JOIN threads ON threads.key = thread_key AND trashed_at IS NULL`;

export function toValues(share: ShareRecord): [string, string, string, string, number, number] {
  const { shareId, threadId, snapshot, hashes, createdAt, sharedAt } = share;
  return [shareId, threadId, snapshot, JSON.stringify(hashes), Date.parse(createdAt), Date.parse(sharedAt)];
}

export function toShare(row: ShareRow): ShareRecord {
  return {
    shareId: row.id,
    threadId: row.thread_id,
    snapshot: row.snapshot,
    hashes: JSON.parse(row.hashes) as string[],
    createdAt: new Date(row.created_at).toISOString(),
    sharedAt: new Date(row.shared_at).toISOString(),
  };
}

export function noThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}
