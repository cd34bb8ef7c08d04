import type { AgeReading, AgeRecord } from "../ages/age-clock.ts";
import type { Postgres } from "./postgres.ts";

export class PostgresAgeRecord implements AgeRecord {
  readonly #database: Postgres;

  constructor(database: Postgres) {
    this.#database = database;
  }

  async load(): Promise<AgeReading> {
    const [row] = await this.#database.query<{ age_ms: number; wall_ms: number }>(
      "SELECT age_ms, wall_ms FROM age_clock",
    );
    return { ageMs: row?.age_ms ?? 0, wallMs: row?.wall_ms ?? Date.now() };
  }

  async save({ ageMs, wallMs }: AgeReading): Promise<void> {
    await this.#database.query(
      "UPDATE age_clock SET age_ms = greatest(age_ms, $1::bigint), wall_ms = $2::bigint",
      [ageMs, wallMs],
    );
  }
}
