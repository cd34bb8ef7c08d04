import type { z } from "zod";
import { runOutputSchema } from "./api/sandboxes.ts";

/** A displayed value as the sandbox package has it; what is in it comes from user code. */
interface DisplayedValue {
  readonly isMain: boolean;
  readonly table?: DisplayedTable;
}

interface DisplayedTable {
  readonly id?: string;
  readonly columns: unknown;
  readonly rows: unknown;
  readonly index?: unknown;
  readonly indexNames?: unknown;
  readonly totalRows: number;
  readonly totalColumns: number;
}

/**
 * A displayed value with the wire's names. Code in a sandbox may show anything under any media type: a form that is not
 * what it says is left out.
 */
export function toWireOutput({ isMain, table, ...forms }: DisplayedValue): z.infer<typeof runOutputSchema> {
  const wire: Record<string, unknown> = {
    is_main: isMain,
    ...forms,
    ...(table ? { table: renameTable(table) } : {}),
  };
  const fitting = Object.entries(runOutputSchema.shape).flatMap(([name, schema]) => {
    if (wire[name] === undefined) return [];
    const parsed = schema.safeParse(wire[name]);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(fitting) as z.infer<typeof runOutputSchema>;
}

function renameTable(table: DisplayedTable): Record<string, unknown> {
  const { id, columns, rows, index, indexNames, totalRows, totalColumns } = table;
  return {
    table_id: id,
    columns,
    rows,
    index,
    index_names: indexNames,
    total_rows: totalRows,
    total_columns: totalColumns,
  };
}
