import type { SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";

type Found = Record<string, SQLOutputValue>;

/** A prepared statement whose failures pass through one place. */
export class Statement {
  readonly #statement: StatementSync;
  readonly #explain: (cause: unknown) => unknown;

  constructor(statement: StatementSync, explain: (cause: unknown) => unknown) {
    this.#statement = statement;
    this.#explain = explain;
  }

  get(...values: SQLInputValue[]): Found | undefined {
    return this.#guard(() => this.#statement.get(...values));
  }

  all(...values: SQLInputValue[]): Found[] {
    return this.#guard(() => this.#statement.all(...values));
  }

  run(...values: SQLInputValue[]): ReturnType<StatementSync["run"]> {
    return this.#guard(() => this.#statement.run(...values));
  }

  *iterate(...values: SQLInputValue[]): Generator<Found> {
    const rows = this.#guard(() => this.#statement.iterate(...values));
    try {
      yield* rows;
    } catch (cause) {
      throw this.#explain(cause);
    }
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      throw this.#explain(cause);
    }
  }
}
