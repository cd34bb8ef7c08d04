import { AtollError, type TablePage, type TableQuery } from "@atoll/sandbox";
import type { z } from "zod";
import {
  fileTableQuery,
  fileTableSchema,
  tableCsvQuery,
  tablePageSchema,
  tableParams,
  tableRowsQuery,
  threadParams,
} from "@atoll/protocol/schemas";
import { streamCsv } from "../../tables/csv-stream.ts";
import { FileTables } from "../../tables/file-tables.ts";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Desk";
const goneHint = "Run the code that showed it again; the new result has a table_id of its own.";

/** The whole of what is shown in part elsewhere. */
export function addTableRoutes({ api, services }: RouteContext): void {
  const files = new FileTables();
  /** A kernel that would have to be made anew has nothing to show. */
  const openKernel = (threadId: string) => {
    const { id } = requireThread(services, threadId);
    if (services.threadSandboxes.state(id) === "cold") throw gone();
    return services.openSandbox(id);
  };

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/tables/{table_id}/rows",
      operationId: "getTableRows",
      tag,
      summary: "Rows of a table that a run has shown, from the whole DataFrame in the kernel",
      description:
        "`table_id` is that of a `result` event's table. The kernel keeps the latest tables as they were shown, up to a number and a size. While it runs code this is refused with `busy`.",
      params: tableParams,
      query: tableRowsQuery,
      result: tablePageSchema,
      errors: ["not_found", "busy", "timeout"],
    },
    async ({ params, query, signal }) => {
      const { python } = await openKernel(params.thread_id);
      const page = await tellGone(python.table(params.table_id, { ...toQuery(query), signal }));
      return toWirePage(page, query.offset ?? 0);
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/tables/{table_id}/csv",
      operationId: "getTableCsv",
      tag,
      summary: "The whole of a table that a run has shown, as CSV",
      params: tableParams,
      query: tableCsvQuery,
      otherResults: { "text/csv": "All rows, or those of the filter, in the order asked for" },
      errors: ["not_found", "busy", "timeout"],
    },
    async ({ params, query, signal }) => {
      const sandbox = await openKernel(params.thread_id);
      const csv = await tellGone(streamCsv(sandbox, params.table_id, toQuery(query), signal));
      return new Response(csv, {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="table-${params.table_id}.csv"`,
        },
      });
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/table",
      operationId: "getFileTable",
      tag,
      summary: "Rows of a file of the sandbox: CSV, a sheet of Excel, Parquet, JSON or JSON lines",
      description: "It is read in a kernel of its own: no variable of the thread is made or changed.",
      params: threadParams,
      query: fileTableQuery,
      result: fileTableSchema,
      errors: ["not_found", "not_a_file", "permission_denied", "timeout", "runtime_unavailable"],
    },
    async ({ params, query, signal }) => {
      const { id } = requireThread(services, params.thread_id);
      const { path, sheet, ...rows } = query;
      const sandbox = await services.openSandbox(id);
      const { table, page } = await files.show(id, sandbox, { path, sheet }, { ...toQuery(rows), signal });
      return {
        ...toWirePage(page, rows.offset ?? 0),
        path,
        format: table.format,
        sheets: [...table.sheets],
        sheet: table.sheet,
        file_rows: table.rows,
        notes: [...table.notes],
      };
    },
  );
}

type Asked = {
  [Name in keyof z.output<typeof tableRowsQuery>]: z.output<typeof tableRowsQuery>[Name] | undefined;
};

function toQuery(asked: Asked): TableQuery {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given) as TableQuery;
}

/** Made where user code runs: what is no page of a table is not passed on as one. */
function toWirePage(page: TablePage, offset: number): z.infer<typeof tablePageSchema> {
  const { columns, rows, index, indexNames, totalRows, totalColumns, matchingRows } = page ?? {};
  const { success, data } = tablePageSchema.safeParse({
    columns,
    rows,
    index,
    index_names: indexNames,
    offset,
    total: totalRows,
    filtered_total: matchingRows,
    total_columns: totalColumns,
  });
  if (success) return data;
  throw new AtollError("protocol_error", "the kernel's answer is no table");
}

async function tellGone<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AtollError && error.code === "not_found") throw gone();
    throw error;
  }
}

function gone(): ApiError {
  return new ApiError("not_found", "the kernel no longer has this table", { hint: goneHint });
}
