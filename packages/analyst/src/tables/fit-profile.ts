import type { DataProfile, TableProfile } from "@atoll/protocol";

/** The profile goes into the log and to every reader of a thread. */
const maxChars = 2_000_000;

interface Detail {
  readonly columns: number;
  readonly values: number;
  readonly rows: number;
}

const lessDetail: readonly Detail[] = [
  { columns: 500, values: 10, rows: 3 },
  { columns: 100, values: 5, rows: 1 },
  { columns: 30, values: 0, rows: 0 },
];

/** The same profile, in less detail if it is very large. */
export function fitProfile(profile: DataProfile): DataProfile {
  let fitting = profile;
  for (const detail of lessDetail) {
    if (JSON.stringify(fitting).length <= maxChars) return fitting;
    fitting = { ...profile, tables: profile.tables.map((table) => thin(table, detail)) };
  }
  return fitting;
}

function thin(table: TableProfile, { columns, values, rows }: Detail): TableProfile {
  const isCut = table.columns.length > columns;
  return {
    ...table,
    columns: table.columns.slice(0, columns).map((column) => ({
      ...column,
      ...(column.values ? { values: column.values.slice(0, values) } : {}),
      samples: column.samples.slice(0, values),
    })),
    sample: table.sample.slice(0, rows).map((row) => row.slice(0, columns)),
    notes: isCut
      ? [...table.notes, `only the first ${columns} of ${table.columns.length} columns are described`]
      : table.notes,
  };
}
