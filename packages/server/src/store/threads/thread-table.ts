import type { NewThread, TemporaryFacts, ThreadRecord, ThreadSettings } from "../contract.ts";
import { parseStored } from "../damage/damaged-error.ts";
import type { Database } from "../database.ts";

/** The rows of threads in SQLite, one statement each: transactions are the caller's. */
export class ThreadTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  find(threadId: string): ThreadRecord | undefined {
    const row = this.#database
      .statement(`SELECT ${columns} FROM threads WHERE id = ? AND trashed_at IS NULL`)
      .get(threadId);
    return row === undefined ? undefined : toRecord(row as unknown as ThreadRow);
  }

  findKey(threadId: string): number | undefined {
    const row = this.#database
      .statement("SELECT key FROM threads WHERE id = ? AND trashed_at IS NULL")
      .get(threadId);
    return row === undefined ? undefined : Number(row["key"]);
  }

  /** Latest use first; `condition` is put after that of the position. */
  list(
    before: { usedAt: number; key: number },
    condition: { sql: string; values: readonly string[] },
    limit: number,
  ): ThreadRow[] {
    return this.#database
      .statement(
        `SELECT ${columns} FROM threads WHERE (used_at, key) < (?, ?) AND trashed_at IS NULL ${condition.sql}
         ORDER BY used_at DESC, key DESC LIMIT ?`,
      )
      .all(before.usedAt, before.key, ...condition.values, limit) as unknown as ThreadRow[];
  }

  count(): number {
    const row = this.#database
      .statement("SELECT count(*) AS count FROM threads WHERE trashed_at IS NULL")
      .get();
    return Number(row?.["count"]);
  }

  insert(thread: NewThread, state: ThreadState): number {
    const { lastInsertRowid } = this.#database
      .statement(
        `INSERT INTO threads (key, id, title, is_titled_by_user, settings, message_count, is_settled, skipped_to,
           created_at, used_at, parent_thread_id, parent_message_id, expires_at, ttl_ms, max_bytes, sandbox_bytes,
           used_age)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT age_ms FROM age_clock))`,
      )
      .run(
        state.key ?? null,
        thread.id,
        thread.title ?? null,
        state.isTitledByUser ? 1 : 0,
        JSON.stringify(thread.settings ?? {}),
        state.messageCount ?? 0,
        (state.isSettled ?? true) ? 1 : 0,
        state.skippedTo ?? 0,
        state.createdAt,
        state.usedAt,
        thread.parent?.threadId ?? null,
        thread.parent?.messageId ?? null,
        thread.temporary?.expiresAtMs ?? null,
        thread.temporary?.ttlMs ?? null,
        thread.temporary?.maxBytes ?? null,
        thread.temporary?.sandboxBytes ?? null,
      );
    const key = Number(lastInsertRowid);
    this.insertFiles(key, thread.fileIds);
    return key;
  }

  setTitle(threadId: string, title: string, options: { isByUser: boolean }): boolean {
    const { changes } = this.#database
      .statement(
        "UPDATE threads SET title = ?1, is_titled_by_user = ?2 WHERE id = ?3 AND is_titled_by_user <= ?2",
      )
      .run(title, options.isByUser ? 1 : 0, threadId);
    return Number(changes) > 0;
  }

  setSettings(threadId: string, settings: ThreadSettings): void {
    this.#database
      .statement("UPDATE threads SET settings = ? WHERE id = ?")
      .run(JSON.stringify(settings), threadId);
  }

  setTemporary(threadId: string, { expiresAtMs, sandboxBytes }: Partial<TemporaryFacts>): void {
    this.#database
      .statement(
        `UPDATE threads SET expires_at = coalesce(?, expires_at), sandbox_bytes = coalesce(?, sandbox_bytes)
         WHERE id = ? AND ttl_ms IS NOT NULL`,
      )
      .run(expiresAtMs ?? null, sandboxBytes ?? null, threadId);
  }

  listExpired(nowMs: number): string[] {
    return this.#database
      .statement(`SELECT id FROM threads WHERE ${expiredCondition("?1")} ORDER BY expires_at`)
      .all(nowMs)
      .map((row) => String(row["id"]));
  }

  /** After those it has; one that it has already keeps its position. */
  insertFiles(key: number, fileIds: readonly string[]): void {
    const insert = this.#database.statement(
      `INSERT INTO thread_files (thread_key, position, file_id)
       VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM thread_files WHERE thread_key = ?1), ?2)
       ON CONFLICT (thread_key, file_id) DO NOTHING`,
    );
    for (const fileId of fileIds) insert.run(key, fileId);
  }

  /** Also those in the trash. */
  ids(): ReadonlySet<string> {
    const rows = this.#database.statement("SELECT id FROM threads").all();
    return new Set(rows.map((row) => String(row["id"])));
  }

  unusedMs(threadId: string): number | undefined {
    const row = this.#database
      .statement("SELECT age_ms - used_age AS unused FROM threads, age_clock WHERE id = ?")
      .get(threadId);
    return row === undefined ? undefined : Number(row["unused"]);
  }

  /** Without its events. */
  remove(key: number): void {
    this.#database.statement("DELETE FROM threads WHERE key = ?").run(key);
  }
}

/** What a thread has beside what it was made with. */
export interface ThreadState {
  readonly key?: number;
  readonly isTitledByUser: boolean;
  readonly messageCount?: number;
  readonly isSettled?: boolean;
  readonly skippedTo?: number;
  readonly createdAt: number;
  readonly usedAt: number;
}

/** As SQLite and Postgres give it. */
export interface ThreadRow {
  readonly key: number;
  readonly id: string;
  readonly title: string | null;
  /** JSON, as are the ids of the files. */
  readonly settings: string;
  readonly message_count: number;
  readonly created_at: number;
  readonly used_at: number;
  readonly parent_thread_id: string | null;
  readonly parent_message_id: string | null;
  readonly expires_at: number | null;
  readonly ttl_ms: number | null;
  readonly max_bytes: number | null;
  readonly sandbox_bytes: number | null;
  readonly file_ids: string;
}

const columns = `key, id, title, settings, message_count, created_at, used_at,
  parent_thread_id, parent_message_id, expires_at, ttl_ms, max_bytes, sandbox_bytes,
  (SELECT json_group_array(file_id ORDER BY position) FROM thread_files WHERE thread_key = key) AS file_ids`;

/** What is further off than its whole time, and what a store may add to it, was written before the clock was set back. */
export function expiredCondition(now: string): string {
  return `expires_at IS NOT NULL AND trashed_at IS NULL AND (expires_at <= ${now} OR expires_at > ${now} + 2 * ttl_ms)`;
}

export function toRecord(row: ThreadRow): ThreadRecord {
  return {
    id: row.id,
    title: row.title,
    settings: parseStored(row.settings, "The settings of a thread") as ThreadSettings,
    fileIds: parseStored(row.file_ids, "The list of a thread's files") as string[],
    ...(row.parent_thread_id === null
      ? {}
      : { parent: { threadId: row.parent_thread_id, messageId: row.parent_message_id ?? "" } }),
    ...toTemporary(row),
    messageCount: row.message_count,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.used_at).toISOString(),
  };
}

function toTemporary(row: ThreadRow): Pick<ThreadRecord, "temporary"> {
  if (row.ttl_ms === null) return {};
  return {
    temporary: {
      expiresAtMs: row.expires_at ?? 0,
      ttlMs: row.ttl_ms,
      maxBytes: row.max_bytes ?? 0,
      sandboxBytes: row.sandbox_bytes ?? 0,
    },
  };
}
