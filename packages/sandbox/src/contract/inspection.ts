import type { CallOptions } from "./call.ts";
import type { Table } from "./python.ts";

/**
 * What a kernel has, for somebody who looks at it. Nobody waits for running code: then these fail with `busy` at once.
 * What comes back was made where user code runs, and may be anything.
 */
export interface Inspection {
  /**
   * Rows of a table that was shown (`Table.id`), of all it has. Fails with `not_found` when the kernel no longer has it:
   * the latest tables are kept, up to a number and a size.
   */
  table(tableId: string, query?: TableQuery): Promise<TablePage>;
  /** The same rows as lines of CSV, with a header where they are the first. Fewer than asked for, where they are long. */
  tableCsv(tableId: string, query?: TableQuery): Promise<{ readonly csv: Uint8Array; readonly rows: number }>;
  /** The user's own, without modules and without names that begin with an underscore. */
  variables(options?: { context?: string } & CallOptions): Promise<VariableList>;
  /** False when there is none. */
  removeVariable(name: string, options?: { context?: string } & CallOptions): Promise<boolean>;
}

export interface TableQuery extends CallOptions {
  readonly context?: string;
  readonly offset?: number;
  readonly limit?: number;
  /** A column's name; with `-` before it the largest come first. */
  readonly sort?: string;
  /** Words that a row must have, in any column or in `column`. There also a comparison, as `> 100` or `= Oslo`. */
  readonly filter?: string;
  readonly column?: string;
}

export interface TablePage extends Omit<Table, "id"> {
  /** Rows that the filter lets through. */
  readonly matchingRows: number;
}

export interface VariableList {
  readonly variables: readonly Variable[];
  /** Also of those that are too many to list. */
  readonly total: number;
}

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly kind: "value" | "function" | "class";
  /** Of an array or a table its dimensions, of a collection its length. */
  readonly shape?: readonly number[];
  readonly sizeBytes?: number;
  /** One short line. */
  readonly preview: string;
}
