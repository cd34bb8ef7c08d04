import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { AtollError } from "@atoll/sandbox";
import { damagedDatabase, damagedDatabaseText, isDamage } from "./damage/damaged-error.ts";
import type { Damages } from "./damage/damages.ts";
import type { Marker } from "./damage/marker.ts";
import { Statement } from "./damage/statement.ts";
import { migrations } from "./migrations.ts";
import { toStorageError } from "./storage-error.ts";

/** One connection, used from one thread of one process. */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, Statement>();
  readonly #damages: Damages | undefined;
  #marker: Marker | undefined;

  /** `:memory:` for one that ends with the process. */
  constructor(path: string, damages?: Damages) {
    this.#damages = damages;
    if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
    this.#sqlite = new DatabaseSync(path, { timeout: 5000 });
    try {
      this.#sqlite.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = NORMAL;
        PRAGMA foreign_keys = ON;
        PRAGMA journal_size_limit = 67108864;
      `);
      migrate(this.#sqlite);
    } catch (cause) {
      this.#sqlite.close();
      throw cause;
    }
  }

  /** Parsed once for each text. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = new Statement(this.#prepare(sql), (cause) => this.#explain(cause));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** From now on each durable change is marked outside of the database, too. */
  mark(marker: Marker): void {
    this.#marker = marker;
  }

  /** Durable changes since the beginning. */
  get acknowledged(): number {
    return Number(this.statement("SELECT count FROM acknowledged").get()?.["count"] ?? 0);
  }

  set acknowledged(count: number) {
    this.transact(() => this.statement("UPDATE acknowledged SET count = ?").run(count));
  }

  exec(sql: string): void {
    this.#sqlite.exec(sql);
  }

  /** All of it or nothing. `isDurable`: safe from a power cut when this returns, with all that came before. */
  transact<Result>(work: () => Result, options: { isDurable?: boolean } = {}): Result {
    try {
      if (options.isDurable) this.#sqlite.exec("PRAGMA synchronous = FULL");
      this.#sqlite.exec("BEGIN IMMEDIATE");
      const result = work();
      const marker = options.isDurable ? this.#marker : undefined;
      const count = marker && this.#countUp();
      this.#sqlite.exec("COMMIT");
      if (count !== undefined) marker?.write(count);
      return result;
    } catch (cause) {
      // SQLite itself has rolled back after some failures.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw toStorageError(this.#explain(cause));
    } finally {
      if (options.isDurable) this.#sqlite.exec("PRAGMA synchronous = NORMAL");
    }
  }

  /** Writes what is there already. Throws when the disk takes no more. */
  checkWritable(): void {
    this.transact(() => this.exec(`PRAGMA user_version = ${migrations.length}`));
  }

  close(): void {
    if (this.#sqlite.isOpen) this.#sqlite.close();
  }

  /** What was read is not what was written, in one place: the rest goes on. */
  noteDamage(error: unknown, threadId: string): unknown {
    if (error instanceof AtollError && error.code === "damaged")
      this.#damages?.note({
        what: `thread ${threadId}`,
        message: `${error.message} (thread ${threadId})`,
        isContained: true,
      });
    return error;
  }

  #countUp(): number {
    const row = this.statement("UPDATE acknowledged SET count = count + 1 RETURNING count").get();
    return Number(row?.["count"]);
  }

  #prepare(sql: string): StatementSync {
    try {
      return this.#sqlite.prepare(sql);
    } catch (cause) {
      throw this.#explain(cause);
    }
  }

  #explain(cause: unknown): unknown {
    if (!isDamage(cause)) return cause;
    this.#damages?.note({ what: "database", message: damagedDatabaseText, isContained: false });
    return damagedDatabase(cause);
  }
}

function migrate(sqlite: DatabaseSync): void {
  const version = Number(sqlite.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version > migrations.length) {
    throw new AtollError(
      "not_supported",
      `This data folder was written by a newer Atoll (database version ${version}, this one knows ` +
        `${migrations.length}). Update Atoll, or set ATOLL_DATA_DIR to another folder.`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    sqlite.exec("BEGIN EXCLUSIVE");
    try {
      sqlite.exec(`${migration}; PRAGMA user_version = ${index + 1}; COMMIT`);
    } catch (cause) {
      if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
      throw cause;
    }
  }
}
