import type { ShareRecord, ShareStore } from "../shares/contract.ts";
import { noThread, selectShares, type ShareRow, toShare, toValues } from "../shares/share-store.ts";
import type { Postgres } from "./postgres.ts";

type Found = ShareRow & Record<string, unknown>;

export class PostgresShareStore implements ShareStore {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  async put(share: ShareRecord): Promise<void> {
    const rows = await this.#database.query(
      `INSERT INTO shares (id, thread_key, snapshot, hashes, created_at, shared_at)
       SELECT $1, key, $3, $4, $5, $6 FROM threads WHERE id = $2
       ON CONFLICT (id) DO UPDATE SET snapshot = excluded.snapshot, hashes = excluded.hashes,
         shared_at = excluded.shared_at
       RETURNING id`,
      toValues(share),
    );
    if (rows.length === 0) throw noThread();
  }

  async get(shareId: string): Promise<ShareRecord | undefined> {
    const [row] = await this.#database.query<Found>(`${selectShares} WHERE shares.id = $1`, [shareId]);
    return row && toShare(row);
  }

  async ofThread(threadId: string): Promise<readonly ShareRecord[]> {
    const rows = await this.#database.query<Found>(
      `${selectShares} WHERE threads.id = $1 ORDER BY shares.created_at, shares.id`,
      [threadId],
    );
    return rows.map(toShare);
  }

  async remove(threadId: string, shareId: string): Promise<boolean> {
    const rows = await this.#database.query(
      `DELETE FROM shares WHERE id = $1 AND thread_key = (SELECT key FROM threads WHERE id = $2) RETURNING id`,
      [shareId, threadId],
    );
    return rows.length > 0;
  }
}
