import type { FileTable, Operations, TablePage } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

export type RowsQuery = Operations["getTableRows"]["query"];
type CsvQuery = Operations["getTableCsv"]["query"];

/** The whole tables of a thread, of which results and files show a part. */
export interface Tables {
  /** Of a result, by its `table_id`. `not_found`: its code has to be run again; `busy`: the kernel runs code. */
  rows(tableId: string, query?: RowsQuery & CallOptions): Promise<TablePage>;
  /** Of a file of the sandbox. */
  ofFile(path: string, query?: { sheet?: string } & RowsQuery & CallOptions): Promise<FileTable>;
  /** Where a browser finds all rows as CSV. */
  csvUrl(tableId: string, query?: CsvQuery): string;
}

export function createTables(transport: Transport, threadId: string): Tables {
  return {
    rows: (tableId, { signal, ...query } = {}) =>
      transport.call("getTableRows", { params: { thread_id: threadId, table_id: tableId }, query, signal }),
    ofFile: (path, { signal, ...query } = {}) =>
      transport.call("getFileTable", { params: { thread_id: threadId }, query: { path, ...query }, signal }),
    csvUrl: (tableId, query = {}) =>
      transport.url("getTableCsv", { params: { thread_id: threadId, table_id: tableId }, query }),
  };
}
