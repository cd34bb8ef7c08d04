import type { Table } from "@atoll/client";
import { useCallback, useMemo } from "react";
import { useClient } from "../../app/client.tsx";
import { useThreadActions } from "../../thread/actions.tsx";
import { type Heading, readHeadings } from "./headings.ts";
import { type LoadRows, type RowProblem, useRows } from "./row-source.ts";
import { filterRows, readRows, type Row, type Sorting, sortRows } from "./rows.ts";

export interface ShownRows {
  readonly headings: readonly Heading[];
  readonly rows: readonly Row[];
  /** How many rows of the full table pass the filter; undefined until the kernel answers. */
  readonly found?: number;
  readonly problem?: RowProblem;
}

/**
 * The rows of a table in an answer. The log has its first rows; if there are more, the kernel sorts and filters all of
 * them.
 */
export function useShownRows(table: Table, words: string, sorting: Sorting | undefined): ShownRows {
  const client = useClient();
  const { threadId, isReadOnly } = useThreadActions();
  const { table_id: tableId, total_rows: total } = table;
  const headings = useMemo(() => readHeadings(table), [table]);
  const known = useMemo(() => readRows(table), [table]);
  const filter = words.trim();
  const sortName = headings.find(({ column }) => column === sorting?.column)?.sortName;
  const isOrdered = filter !== "" || sorting !== undefined;
  const isKernelAsked = isOrdered && known.length < total && tableId !== undefined && !isReadOnly;
  const load = useCallback<LoadRows>(
    (query, signal) => client.threads.tables(threadId).rows(tableId ?? "", { ...query, signal }),
    [client, threadId, tableId],
  );
  const asked = useRows(isKernelAsked ? load : undefined, {
    ...(filter === "" ? {} : { filter }),
    ...(sorting && sortName !== undefined ? { sort: `${sorting.isDescending ? "-" : ""}${sortName}` } : {}),
  });
  const here = useMemo(() => sortRows(filterRows(known, filter), sorting), [known, filter, sorting]);
  if (!isKernelAsked) return { headings, rows: here, found: isOrdered ? here.length : total };
  const { page, problem } = asked;
  const failed = problem === undefined ? {} : { problem };
  if (!page) return { headings, rows: problem === "gone" ? here : known, ...failed };
  return { headings, rows: [...asked.rows.values()], found: page.filtered_total, ...failed };
}
