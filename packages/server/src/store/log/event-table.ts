import type { Database } from "../database.ts";
import type { ReadLogOptions } from "../contract.ts";
import { checksumOf } from "./checksum.ts";
import type { EventRow } from "./line.ts";

/** The log's rows and what they change in their thread. */
export class EventTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Undefined when there is no such thread. */
  findHead(threadId: string): Head | undefined {
    const row = this.#database
      .statement(
        `SELECT key, max(skipped_to, (SELECT coalesce(max(id), 0) FROM events WHERE thread_key = key)) AS lastId
         FROM threads WHERE id = ? AND trashed_at IS NULL`,
      )
      .get(threadId);
    return row === undefined ? undefined : { key: Number(row["key"]), lastId: Number(row["lastId"]) };
  }

  insert(threadKey: number, row: EventRow): void {
    this.#database
      .statement(
        "INSERT INTO events (thread_key, id, type, run_id, at, payload, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(threadKey, row.id, row.type, row.run_id, row.at, row.payload, checksumOf(row));
    if (row.type === "message") this.#noteMessage(threadKey, row.at, 1);
    else if (row.type === "message_removed") this.#noteMessage(threadKey, row.at, -1);
    else if (row.type === "done") this.#noteUse(threadKey, row.at);
  }

  /** The next rows after an id: a few at a time, however long the log or a row is. */
  page(threadKey: number, after: number, limits: { rows: number; chars: number }): EventRow[] {
    const rows: EventRow[] = [];
    let chars = 0;
    const found = this.#database
      .statement(`SELECT ${columns} FROM events WHERE thread_key = ? AND id > ? ORDER BY id LIMIT ?`)
      .iterate(threadKey, after, limits.rows);
    for (const row of found) {
      rows.push(row as unknown as EventRow);
      chars += String(row["payload"]).length;
      if (chars >= limits.chars) break;
    }
    return rows;
  }

  read(threadKey: number, options: ReadLogOptions): EventRow[] {
    const { types, runId, last } = options;
    const span =
      runId === undefined ? { from: 0, to: Number.MAX_SAFE_INTEGER } : this.#spanOf(threadKey, runId);
    const from = Math.max((options.after ?? 0) + 1, span.from);
    const isIndexed = types !== undefined && !types.includes("token") && !types.includes("output");
    const rows = this.#database
      .statement(
        `SELECT ${columns} FROM events ${isIndexed ? "INDEXED BY events_by_type" : ""}
         WHERE thread_key = ? AND id BETWEEN ? AND ?
         ${isIndexed ? "AND type NOT IN ('token', 'output')" : ""}
         ${types === undefined ? "AND ? IS NULL" : "AND type IN (SELECT value FROM json_each(?))"}
         ${runId === undefined ? "AND ? IS NULL" : "AND run_id = ?"}
         ORDER BY id ${last === undefined ? "" : "DESC"} LIMIT ?`,
      )
      .all(
        threadKey,
        from,
        span.to,
        types === undefined ? null : JSON.stringify(types),
        runId ?? null,
        last ?? options.limit ?? -1,
      ) as unknown as EventRow[];
    return last === undefined ? rows : rows.toReversed();
  }

  skipTo(threadKey: number, id: number): void {
    this.#database.statement("UPDATE threads SET skipped_to = ? WHERE key = ?").run(id, threadKey);
  }

  unsettled(): string[] {
    const rows = this.#database.statement("SELECT id FROM threads WHERE is_settled = 0 ORDER BY key").all();
    return rows.map((row) => String(row["id"]));
  }

  settle(threadId: string): void {
    this.#database.statement("UPDATE threads SET is_settled = 1 WHERE id = ?").run(threadId);
  }

  /** A run's events lie between its first and its last, and few others do. */
  #spanOf(threadKey: number, runId: string): { from: number; to: number } {
    const rows = this.#database
      .statement(
        `SELECT type, id FROM events INDEXED BY events_by_type
         WHERE thread_key = ? AND type IN ('run_started', 'done') AND type NOT IN ('token', 'output')
         AND run_id = ?`,
      )
      .all(threadKey, runId);
    const idOf = (type: string) => rows.find((row) => row["type"] === type)?.["id"];
    return { from: Number(idOf("run_started") ?? 0), to: Number(idOf("done") ?? Number.MAX_SAFE_INTEGER) };
  }

  #noteMessage(threadKey: number, at: number, change: number): void {
    this.#database
      .statement(
        `UPDATE threads SET message_count = message_count + ?, is_settled = 0, used_at = max(used_at, ?), ${usedNow}
         WHERE key = ?`,
      )
      .run(change, at, threadKey);
  }

  #noteUse(threadKey: number, at: number): void {
    this.#database
      .statement(`UPDATE threads SET used_at = max(used_at, ?), ${usedNow} WHERE key = ?`)
      .run(at, threadKey);
  }
}

/** Where a thread's log ends. */
export interface Head {
  readonly key: number;
  readonly lastId: number;
}

/** By the clock that threads age by. */
const usedNow = "used_age = (SELECT age_ms FROM age_clock)";
const columns = "id, type, run_id, at, payload, checksum";
