import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import type { UploadRecord, UploadStore } from "../contract.ts";
import type { Database } from "../database.ts";
import type { Folders } from "../folders.ts";
import { writeHashed } from "../hashed-file.ts";
import { toStorageError } from "../storage-error.ts";
import { makeSafeName } from "./safe-name.ts";

/** A file is written aside, then moved into place, then gets its row. What has no row does not exist. */
export class DiskUploadStore implements UploadStore {
  readonly #database: Database;
  readonly #folders: Folders;

  constructor(database: Database, folders: Folders) {
    this.#database = database;
    this.#folders = folders;
    this.#sweep();
  }

  async receive(
    name: string,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<UploadRecord> {
    const fileId = `file_${randomBytes(16).toString("hex")}`;
    const incoming = join(this.#folders.incoming, fileId);
    const path = join(this.#folders.uploads, fileId);
    try {
      // Readable by all inside a folder that nobody else enters: a sandbox can be shown the file without a copy.
      const written = await writeHashed(incoming, content, { ...options, mode: 0o444 });
      await rename(incoming, path);
      await syncFolder(this.#folders.uploads);
      const record = { fileId, name: makeSafeName(name), ...written, createdAt: new Date().toISOString() };
      this.#insert(record);
      return record;
    } catch (error) {
      await Promise.all([rm(incoming, { force: true }), rm(path, { force: true })]);
      throw toUploadError(error);
    }
  }

  get(fileId: string): UploadRecord | undefined {
    const row = this.#database
      .statement(`SELECT ${columns} FROM uploads WHERE id = ? AND is_removed = 0`)
      .get(fileId);
    return row === undefined ? undefined : toRecord(row as unknown as UploadRow);
  }

  ofThread(threadId: string): readonly UploadRecord[] {
    const rows = this.#database
      .statement(
        `SELECT uploads.id, name, size_bytes, sha256, uploads.created_at FROM threads
         JOIN thread_files ON thread_key = threads.key JOIN uploads ON uploads.id = file_id
         WHERE threads.id = ? ORDER BY position`,
      )
      .all(threadId) as unknown as UploadRow[];
    return rows.map(toRecord);
  }

  async remove(fileId: string): Promise<boolean> {
    if (this.get(fileId) === undefined) return false;
    this.#database.transact(
      () => this.#database.statement("UPDATE uploads SET is_removed = 1 WHERE id = ?").run(fileId),
      { isDurable: true },
    );
    await this.removeUnused();
    return true;
  }

  hostPath(fileId: string): string {
    const row = this.#database.statement("SELECT id FROM uploads WHERE id = ?").get(fileId);
    if (row === undefined) throw new AtollError("not_found", "There is no such file.");
    return join(this.#folders.uploads, String(row["id"]));
  }

  /** Lets go of removed files that no thread uses any more. */
  async removeUnused(): Promise<void> {
    const rows = this.#database
      .statement(
        `SELECT id FROM uploads WHERE is_removed = 1
         AND NOT EXISTS (SELECT 1 FROM thread_files WHERE file_id = uploads.id)`,
      )
      .all();
    for (const row of rows) {
      const fileId = String(row["id"]);
      this.#database.transact(() => this.#database.statement("DELETE FROM uploads WHERE id = ?").run(fileId));
      await rm(join(this.#folders.uploads, fileId), { force: true });
    }
  }

  #insert(record: UploadRecord): void {
    this.#database.transact(
      () =>
        this.#database
          .statement("INSERT INTO uploads (id, name, size_bytes, sha256, created_at) VALUES (?, ?, ?, ?, ?)")
          .run(record.fileId, record.name, record.sizeBytes, record.sha256, Date.parse(record.createdAt)),
      { isDurable: true },
    );
  }

  /** What a server that died left half-way: parts of files, files without a row, rows without a file. */
  #sweep(): void {
    for (const name of readdirSync(this.#folders.incoming)) {
      rmSync(join(this.#folders.incoming, name), { recursive: true, force: true });
    }
    const rows = this.#database.statement("SELECT id FROM uploads").all();
    const known = new Set(rows.map((row) => String(row["id"])));
    const present = new Set(readdirSync(this.#folders.uploads).filter((name) => name !== ".incoming"));
    for (const name of present.difference(known)) rmSync(join(this.#folders.uploads, name), { force: true });
    const missing = known.difference(present);
    if (missing.size === 0) return;
    const remove = this.#database.statement("DELETE FROM uploads WHERE id = ?");
    this.#database.transact(() => missing.forEach((fileId) => remove.run(fileId)));
  }
}

interface UploadRow {
  readonly id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly created_at: number;
}

const columns = "id, name, size_bytes, sha256, created_at";

function toRecord(row: UploadRow): UploadRecord {
  return {
    fileId: row.id,
    name: row.name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/** So that the file's name in its folder is as safe from a power cut as its content. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The disk's failures are ours to word; those of the stream that was read are the sender's. */
function toUploadError(error: unknown): unknown {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return code === "ENOSPC" || code === "EDQUOT" || (syscall !== undefined && syscall !== "read")
    ? toStorageError(error)
    : error;
}
