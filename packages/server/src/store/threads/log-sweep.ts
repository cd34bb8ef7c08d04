import type { Database } from "../database.ts";

/** Removes the events of threads that are gone, a few at a time, so that a long log holds nobody up. */
export class LogSweep {
  readonly #database: Database;
  readonly #threadKeys: number[];
  #timer: NodeJS.Immediate | undefined;

  /** Begins with what an earlier server did not get to. */
  constructor(database: Database) {
    this.#database = database;
    this.#threadKeys = findOrphans(database);
    this.#schedule();
  }

  add(threadKey: number): void {
    this.#threadKeys.push(threadKey);
    this.#schedule();
  }

  stop(): void {
    clearImmediate(this.#timer);
    this.#threadKeys.length = 0;
  }

  #schedule(): void {
    if (this.#threadKeys.length === 0) return;
    this.#timer ??= setImmediate(() => {
      this.#timer = undefined;
      this.#removeSome();
      this.#schedule();
    });
  }

  #removeSome(): void {
    const [key] = this.#threadKeys;
    if (key === undefined) return;
    try {
      const { changes } = this.#database.transact(() =>
        this.#database
          .statement(
            `DELETE FROM events WHERE thread_key = ?1 AND id <=
             (SELECT max(id) FROM (SELECT id FROM events WHERE thread_key = ?1 ORDER BY id LIMIT ${atOnce}))`,
          )
          .run(key),
      );
      if (Number(changes) === 0) this.#threadKeys.shift();
    } catch {
      // Nothing is lost but room: the next server tries again.
      this.#threadKeys.shift();
    }
  }
}

const atOnce = 2000;

/** Steps from thread to thread through the primary key, not through every event. */
function findOrphans(database: Database): number[] {
  const rows = database
    .statement(
      `WITH RECURSIVE present (key) AS (
         SELECT min(thread_key) FROM events
         UNION ALL
         SELECT (SELECT min(thread_key) FROM events WHERE thread_key > present.key) FROM present WHERE key IS NOT NULL
       )
       SELECT key FROM present WHERE key IS NOT NULL AND key NOT IN (SELECT key FROM threads)`,
    )
    .all();
  return rows.map((row) => Number(row["key"]));
}
