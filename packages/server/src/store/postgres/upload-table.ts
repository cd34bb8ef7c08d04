import type { UploadRecord } from "../contract.ts";
import { toUpload, uploadColumns, type UploadRow, type UploadTable } from "../uploads/upload-table.ts";
import type { Postgres } from "./postgres.ts";

export class PostgresUploadTable implements UploadTable {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  async insert(record: UploadRecord): Promise<void> {
    await this.#database.query(
      `INSERT INTO uploads (id, name, size_bytes, sha256, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING`,
      [record.fileId, record.name, record.sizeBytes, record.sha256, Date.parse(record.createdAt)],
    );
  }

  async find(fileId: string): Promise<UploadRecord | undefined> {
    const [row] = await this.#database.query<UploadRow & Record<string, unknown>>(
      `SELECT ${uploadColumns} FROM uploads WHERE id = $1 AND NOT is_removed`,
      [fileId],
    );
    return row && toUpload(row);
  }

  async ofThread(threadId: string): Promise<readonly UploadRecord[]> {
    const rows = await this.#database.query<UploadRow & Record<string, unknown>>(
      `SELECT ${uploadColumns} FROM threads
       JOIN thread_files ON thread_key = threads.key JOIN uploads ON uploads.id = file_id
       WHERE threads.id = $1 ORDER BY position`,
      [threadId],
    );
    return rows.map(toUpload);
  }

  async markRemoved(fileId: string): Promise<boolean> {
    const rows = await this.#database.query(
      "UPDATE uploads SET is_removed = true WHERE id = $1 AND NOT is_removed RETURNING id",
      [fileId],
    );
    return rows.length > 0;
  }

  async markUnused(fileIds: readonly string[]): Promise<void> {
    await this.#database.query(
      `UPDATE uploads SET is_removed = true WHERE id = ANY ($1::text[])
       AND NOT EXISTS (SELECT FROM thread_files WHERE file_id = uploads.id)`,
      [fileIds],
    );
  }

  async markStale(beforeMs: number): Promise<number> {
    const rows = await this.#database.query(
      `UPDATE uploads SET is_removed = true WHERE starts_with(id, 'temp_') AND created_at < $1::bigint
       AND NOT EXISTS (SELECT FROM thread_files WHERE file_id = uploads.id) RETURNING id`,
      [beforeMs],
    );
    return rows.length;
  }

  async takeUnused(): Promise<readonly string[]> {
    return this.#database.transact(async (query) => {
      const unused = `is_removed AND NOT EXISTS (SELECT FROM thread_files WHERE file_id = uploads.id)`;
      // A thread that is made with the file right now holds its row: who waited for it has to look again.
      const held = await query<{ id: string }>(`SELECT id FROM uploads WHERE ${unused} FOR UPDATE`);
      if (held.length === 0) return [];
      const ids = held.map(({ id }) => id);
      const rows = await query<{ id: string }>(
        `DELETE FROM uploads WHERE id = ANY ($1::text[]) AND ${unused} RETURNING id`,
        [ids],
      );
      return rows.map(({ id }) => id);
    });
  }

  /** Those of the files that have a row, also a removed one's. */
  async findKnown(fileIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#database.query<{ id: string }>(
      "SELECT id FROM uploads WHERE id = ANY ($1::text[])",
      [fileIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
