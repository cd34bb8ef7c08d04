import { AtollError } from "@atoll/sandbox";
import type { ThreadPage, ThreadRecord, ThreadSettings, ThreadStore } from "../contract.ts";
import type { Database } from "../database.ts";
import { cleanText } from "./clean-text.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import type { LogSweep } from "./log-sweep.ts";
import { ThreadSearch } from "./search.ts";

export class SqliteThreadStore implements ThreadStore {
  readonly #database: Database;
  readonly #search: ThreadSearch;
  readonly #sweep: LogSweep;
  readonly #onRemoved: (threadId: string) => void;

  constructor(database: Database, sweep: LogSweep, onRemoved: (threadId: string) => void) {
    this.#database = database;
    this.#search = new ThreadSearch(database);
    this.#sweep = sweep;
    this.#onRemoved = onRemoved;
  }

  create(thread: Parameters<ThreadStore["create"]>[0]): ThreadRecord {
    const now = Date.now();
    this.#database.transact(
      () => {
        if (this.get(thread.id)) throw new AtollError("already_exists", "There is a thread with this id.");
        const { lastInsertRowid } = this.#database
          .statement(
            `INSERT INTO threads (id, title, is_titled_by_user, settings, created_at, used_at)
             VALUES (?, ?, ?, ?, ?, ?)`,
          )
          .run(
            thread.id,
            thread.title ?? null,
            thread.title === undefined ? 0 : 1,
            JSON.stringify(thread.settings ?? {}),
            now,
            now,
          );
        this.#insertFiles(Number(lastInsertRowid), thread.fileIds);
      },
      { isDurable: true },
    );
    return this.#mustGet(thread.id);
  }

  get(threadId: string): ThreadRecord | undefined {
    const row = this.#database.statement(`SELECT ${columns} FROM threads WHERE id = ?`).get(threadId);
    return row === undefined ? undefined : toRecord(row as unknown as ThreadRow);
  }

  list(options: { limit: number; before?: string; query?: string }): ThreadPage {
    const before = options.before === undefined ? latest : readCursor(options.before);
    const matching = this.#search.condition(options.query ?? "");
    const rows = this.#database
      .statement(
        `SELECT ${columns} FROM threads WHERE (used_at, key) < (?, ?) ${matching.sql}
         ORDER BY used_at DESC, key DESC LIMIT ?`,
      )
      .all(before.usedAt, before.key, ...matching.values, options.limit + 1) as unknown as ThreadRow[];
    const page = rows.slice(0, options.limit);
    const threads = page.map((row) => {
      const snippet = this.#search.findSnippet(row.key, matching.terms);
      return { ...toRecord(row), ...(snippet === undefined ? {} : { snippet }) };
    });
    const last = page.at(-1);
    if (last === undefined || rows.length <= options.limit) return { threads };
    return { threads, cursor: writeCursor({ usedAt: last.used_at, key: last.key }) };
  }

  update(threadId: string, change: { title?: string; settings?: ThreadSettings }): ThreadRecord | undefined {
    this.#database.transact(
      () => {
        if (change.title !== undefined) {
          this.#database
            .statement("UPDATE threads SET title = ?, is_titled_by_user = 1 WHERE id = ?")
            .run(cleanText(change.title), threadId);
        }
        if (change.settings !== undefined) {
          this.#database
            .statement("UPDATE threads SET settings = ? WHERE id = ?")
            .run(JSON.stringify(change.settings), threadId);
        }
      },
      { isDurable: true },
    );
    return this.get(threadId);
  }

  suggestTitle(threadId: string, title: string): boolean {
    return this.#database.transact(() => {
      const { changes } = this.#database
        .statement("UPDATE threads SET title = ? WHERE id = ? AND is_titled_by_user = 0")
        .run(cleanText(title), threadId);
      return Number(changes) > 0;
    });
  }

  addFiles(threadId: string, fileIds: readonly string[]): void {
    this.#database.transact(
      () => {
        const key = this.#findKey(threadId);
        if (key === undefined) throw new AtollError("not_found", "There is no such thread.");
        this.#insertFiles(key, fileIds);
      },
      { isDurable: true },
    );
  }

  remove(threadId: string): boolean {
    const key = this.#findKey(threadId);
    if (key === undefined) return false;
    this.#database.transact(() => this.#database.statement("DELETE FROM threads WHERE key = ?").run(key), {
      isDurable: true,
    });
    this.#onRemoved(threadId);
    this.#sweep.add(key);
    return true;
  }

  indexText(threadId: string, text: string): void {
    const key = this.#findKey(threadId);
    if (key !== undefined) this.#search.add(key, text);
  }

  count(): number {
    return Number(this.#database.statement("SELECT count(*) AS count FROM threads").get()?.["count"]);
  }

  #insertFiles(key: number, fileIds: readonly string[]): void {
    const insert = this.#database.statement(
      `INSERT INTO thread_files (thread_key, position, file_id)
       VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM thread_files WHERE thread_key = ?1), ?2)
       ON CONFLICT (thread_key, file_id) DO NOTHING`,
    );
    for (const fileId of fileIds) insert.run(key, fileId);
  }

  #findKey(threadId: string): number | undefined {
    const row = this.#database.statement("SELECT key FROM threads WHERE id = ?").get(threadId);
    return row === undefined ? undefined : Number(row["key"]);
  }

  #mustGet(threadId: string): ThreadRecord {
    const thread = this.get(threadId);
    if (thread === undefined) throw new AtollError("internal", "The thread was not stored.");
    return thread;
  }
}

interface ThreadRow {
  readonly key: number;
  readonly id: string;
  readonly title: string | null;
  readonly settings: string;
  readonly message_count: number;
  readonly created_at: number;
  readonly used_at: number;
  readonly file_ids: string;
}

const latest = { usedAt: Number.MAX_SAFE_INTEGER, key: Number.MAX_SAFE_INTEGER };

const columns = `key, id, title, settings, message_count, created_at, used_at,
  (SELECT json_group_array(file_id ORDER BY position) FROM thread_files WHERE thread_key = key) AS file_ids`;

function toRecord(row: ThreadRow): ThreadRecord {
  return {
    id: row.id,
    title: row.title,
    settings: JSON.parse(row.settings) as ThreadSettings,
    fileIds: JSON.parse(row.file_ids) as string[],
    messageCount: row.message_count,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.used_at).toISOString(),
  };
}
