import type { Database } from "../database.ts";
import type { AgeReading, AgeRecord } from "./age-clock.ts";

/** One row. What is used notes the age that stands there. */
export class SqliteAgeRecord implements AgeRecord {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<AgeReading> {
    const row = this.#database.statement("SELECT age_ms, wall_ms FROM age_clock").get();
    return { ageMs: Number(row?.["age_ms"] ?? 0), wallMs: Number(row?.["wall_ms"] ?? Date.now()) };
  }

  async save({ ageMs, wallMs }: AgeReading): Promise<void> {
    this.#database.transact(() =>
      this.#database
        .statement("UPDATE age_clock SET age_ms = max(age_ms, ?), wall_ms = ?")
        .run(ageMs, wallMs),
    );
  }
}
