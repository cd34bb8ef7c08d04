import type { Database } from "../database.ts";
import type { LogSweep } from "../threads/log-sweep.ts";
import type { TrashedThread, TrashStore } from "./contract.ts";

export class SqliteTrashStore implements TrashStore {
  readonly #database: Database;
  readonly #sweep: LogSweep;
  readonly #onGone: { trashed(threadId: string): void; purged(): void };

  constructor(
    database: Database,
    sweep: LogSweep,
    onGone: { trashed(threadId: string): void; purged(): void },
  ) {
    this.#database = database;
    this.#sweep = sweep;
    this.#onGone = onGone;
  }

  async put(threadId: string): Promise<boolean> {
    const isPut = this.#change(
      `UPDATE threads SET trashed_at = ?2, trashed_age = (SELECT age_ms FROM age_clock), is_settled = 1
       WHERE id = ?1 AND trashed_at IS NULL`,
      [threadId, Date.now()],
    );
    if (isPut) this.#onGone.trashed(threadId);
    return isPut;
  }

  async has(threadId: string): Promise<boolean> {
    return this.#findKey(threadId) !== undefined;
  }

  async list(): Promise<readonly TrashedThread[]> {
    const rows = this.#database.statement(selectTrash).all() as unknown as TrashRow[];
    return rows.map(toTrashed);
  }

  async restore(threadId: string): Promise<boolean> {
    return this.#change(
      `UPDATE threads SET trashed_at = NULL, trashed_age = NULL, used_at = max(used_at, ?2),
         used_age = (SELECT age_ms FROM age_clock) WHERE id = ?1 AND trashed_at IS NOT NULL`,
      [threadId, Date.now()],
    );
  }

  async purge(threadId: string): Promise<boolean> {
    const key = this.#findKey(threadId);
    if (key === undefined) return false;
    const isPurged = this.#change("DELETE FROM threads WHERE key = ? AND trashed_at IS NOT NULL", [key]);
    if (!isPurged) return false;
    this.#sweep.add(key);
    this.#onGone.purged();
    return true;
  }

  #findKey(threadId: string): number | undefined {
    const row = this.#database
      .statement("SELECT key FROM threads WHERE id = ? AND trashed_at IS NOT NULL")
      .get(threadId);
    return row === undefined ? undefined : Number(row["key"]);
  }

  #change(sql: string, values: readonly (string | number)[]): boolean {
    const { changes } = this.#database.transact(() => this.#database.statement(sql).run(...values), {
      isDurable: true,
    });
    return Number(changes) > 0;
  }
}

/** As SQLite and Postgres give it. */
export interface TrashRow {
  readonly id: string;
  readonly title: string | null;
  readonly message_count: number;
  readonly created_at: number;
  readonly trashed_at: number;
  readonly in_trash_ms: number;
}

export const selectTrash = `SELECT id, title, message_count, created_at, trashed_at,
  age_ms - trashed_age AS in_trash_ms FROM threads, age_clock WHERE trashed_at IS NOT NULL
  ORDER BY trashed_age DESC, key DESC`;

export function toTrashed(row: TrashRow): TrashedThread {
  return {
    id: row.id,
    title: row.title,
    messageCount: row.message_count,
    createdAt: new Date(row.created_at).toISOString(),
    trashedAt: new Date(row.trashed_at).toISOString(),
    inTrashMs: row.in_trash_ms,
  };
}
