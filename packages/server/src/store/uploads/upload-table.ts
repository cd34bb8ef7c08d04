import type { UploadRecord } from "../contract.ts";
import type { Database } from "../database.ts";

/** What is known of the files, apart from their content. */
export interface UploadTable {
  insert(record: UploadRecord): Promise<void>;
  /** Not one that was removed. */
  find(fileId: string): Promise<UploadRecord | undefined>;
  ofThread(threadId: string): Promise<readonly UploadRecord[]>;
  /** False when there was none. */
  markRemoved(fileId: string): Promise<boolean>;
  /** As removed, those of the files that no thread uses. */
  markUnused(fileIds: readonly string[]): Promise<void>;
  /** The same for all temporary files that are older; says how many. */
  markStale(beforeMs: number): Promise<number>;
  /** Forgets the removed files that no thread uses any more, and gives their ids. */
  takeUnused(): Promise<readonly string[]>;
}

export class SqliteUploadTable implements UploadTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(record: UploadRecord): Promise<void> {
    this.#database.transact(
      () =>
        this.#database
          .statement("INSERT INTO uploads (id, name, size_bytes, sha256, created_at) VALUES (?, ?, ?, ?, ?)")
          .run(record.fileId, record.name, record.sizeBytes, record.sha256, Date.parse(record.createdAt)),
      { isDurable: true },
    );
  }

  async find(fileId: string): Promise<UploadRecord | undefined> {
    const row = this.#database
      .statement(`SELECT ${uploadColumns} FROM uploads WHERE id = ? AND is_removed = 0`)
      .get(fileId);
    return row === undefined ? undefined : toUpload(row as unknown as UploadRow);
  }

  async ofThread(threadId: string): Promise<readonly UploadRecord[]> {
    const rows = this.#database
      .statement(
        `SELECT ${uploadColumns} FROM threads
         JOIN thread_files ON thread_key = threads.key JOIN uploads ON uploads.id = file_id
         WHERE threads.id = ? ORDER BY position`,
      )
      .all(threadId) as unknown as UploadRow[];
    return rows.map(toUpload);
  }

  async markRemoved(fileId: string): Promise<boolean> {
    return this.#database.transact(
      () => {
        const { changes } = this.#database
          .statement("UPDATE uploads SET is_removed = 1 WHERE id = ? AND is_removed = 0")
          .run(fileId);
        return Number(changes) > 0;
      },
      { isDurable: true },
    );
  }

  async markUnused(fileIds: readonly string[]): Promise<void> {
    const mark = this.#database.statement(
      `UPDATE uploads SET is_removed = 1 WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM thread_files WHERE file_id = uploads.id)`,
    );
    this.#database.transact(() => fileIds.forEach((fileId) => mark.run(fileId)));
  }

  async markStale(beforeMs: number): Promise<number> {
    const { changes } = this.#database
      .statement(
        `UPDATE uploads SET is_removed = 1 WHERE id >= 'temp_' AND id < 'temp_g' AND created_at < ?
         AND NOT EXISTS (SELECT 1 FROM thread_files WHERE file_id = uploads.id)`,
      )
      .run(beforeMs);
    return Number(changes);
  }

  async takeUnused(): Promise<readonly string[]> {
    return this.#database.transact(() => {
      const rows = this.#database
        .statement(
          `DELETE FROM uploads WHERE is_removed = 1
           AND NOT EXISTS (SELECT 1 FROM thread_files WHERE file_id = uploads.id) RETURNING id`,
        )
        .all();
      return rows.map((row) => String(row["id"]));
    });
  }

  /** All of them, also those that were removed. */
  ids(): Set<string> {
    const rows = this.#database.statement("SELECT id FROM uploads").all();
    return new Set(rows.map((row) => String(row["id"])));
  }

  forget(fileIds: Iterable<string>): void {
    const remove = this.#database.statement("DELETE FROM uploads WHERE id = ?");
    this.#database.transact(() => {
      for (const fileId of fileIds) remove.run(fileId);
    });
  }
}

/** As SQLite and Postgres give it. */
export interface UploadRow {
  readonly id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly created_at: number;
}

export const uploadColumns = "uploads.id, uploads.name, size_bytes, sha256, uploads.created_at";

export function toUpload(row: UploadRow): UploadRecord {
  return {
    fileId: row.id,
    name: row.name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
