import { setTimeout as wait } from "node:timers/promises";
import { AtollError } from "@atoll/sandbox";
import postgres from "postgres";
import { isPassing, toDatabaseError } from "./errors.ts";

/** A value of a statement: `$1`, `$2`, … (The client takes an array of booleans for a boolean.) */
export type Value = string | number | boolean | null | readonly (string | number | null)[];
export type Row = Readonly<Record<string, unknown>>;
/** Without values the text may hold several statements. */
export type Query = <Found extends Row>(text: string, values?: readonly Value[]) => Promise<Found[]>;

export interface PostgresOptions {
  readonly maxConnections: number;
  /** How long whoever asks waits for a database that is away, and about how long for one that does not answer. */
  readonly waitMs: number;
}

/**
 * A few connections to one database. Whatever fails here fails as an `AtollError`; a connection that does not answer in
 * time is given up with all others, since nobody knows what it still does.
 */
export class Postgres {
  readonly waitMs: number;
  readonly #deadlineMs: number;
  readonly #open: () => postgres.Sql;
  #sql: postgres.Sql;
  #isClosed = false;

  constructor(url: string, { maxConnections, waitMs }: PostgresOptions) {
    this.waitMs = waitMs;
    const statementTimeoutMs = Math.max(waitMs, minStatementMs);
    // The database gives a statement up before we give the connection up.
    this.#deadlineMs = statementTimeoutMs * 1.5;
    this.#open = () =>
      postgres(url, {
        max: maxConnections,
        connect_timeout: connectTimeoutS,
        backoff: () => reconnectS,
        onnotice: () => {},
        connection: {
          application_name: "atoll",
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: statementTimeoutMs,
        },
        types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
      });
    this.#sql = this.#open();
  }

  /** For a statement that may be sent twice: while the database is away it is, until the time to wait is over. */
  async query<Found extends Row>(text: string, values: readonly Value[] = []): Promise<Found[]> {
    return this.repeat(() => this.queryOnce<Found>(text, values));
  }

  /** Fails with the database's own error. */
  async queryOnce<Found extends Row>(
    text: string,
    values: readonly Value[] = [],
    deadlineMs = this.#deadlineMs,
  ): Promise<Found[]> {
    const { query } = this.#bind(this.#sql);
    return this.#answerWithin(deadlineMs, this.#sql, query<Found>(text, values));
  }

  /** All of the statements or none. To be safe when it runs twice. */
  async transact<Result>(work: (query: Query) => Promise<Result>, deadlineMs?: number): Promise<Result> {
    return this.repeat(() => this.transactOnce(work, deadlineMs));
  }

  async transactOnce<Result>(
    work: (query: Query) => Promise<Result>,
    deadlineMs = this.#deadlineMs,
  ): Promise<Result> {
    const sql = this.#sql;
    const working = sql.begin((transaction) => work(this.#bind(transaction).query));
    return this.#answerWithin(deadlineMs, sql, working as Promise<Result>);
  }

  async repeat<Result>(work: () => Promise<Result>): Promise<Result> {
    const giveUpAt = performance.now() + this.waitMs;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isLate = this.#isClosed || performance.now() > giveUpAt;
        if (!isPassing(error) || isLate) throw toDatabaseError(error);
        await wait(retryMs);
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.end({ timeout: closeTimeoutS });
  }

  #bind(sql: postgres.Sql | postgres.TransactionSql): { query: Query } {
    return {
      query: async <Found extends Row>(text: string, values: readonly Value[] = []) =>
        (await sql.unsafe(text, values as postgres.ParameterOrJSON<never>[], {
          prepare: true,
        })) as unknown as Found[],
    };
  }

  async #answerWithin<Result>(
    deadlineMs: number,
    sql: postgres.Sql,
    answering: Promise<Result>,
  ): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new AtollError("unavailable", "The database (DATABASE_URL) does not answer."));
      this.#replace(sql);
    }, deadlineMs);
    try {
      return await Promise.race([answering, late]);
    } finally {
      clearTimeout(timer);
      answering.catch(() => {});
    }
  }

  #replace(stuck: postgres.Sql): void {
    if (this.#sql === stuck && !this.#isClosed) this.#sql = this.#open();
    void stuck.end({ timeout: 0 }).catch(() => {});
  }
}

const minStatementMs = 3000;
const connectTimeoutS = 5;
const reconnectS = 0.05;
const retryMs = 100;
const closeTimeoutS = 5;
