import type { TableProfile } from "@atoll/protocol";
import { tableProfileSchema } from "@atoll/protocol/schemas";

const maxTextChars = 300;
const maxItems = 1000;
const maxDepth = 8;
const maxColumns = 500;
const maxValues = 50;
const maxNotes = 40;

/** Any JSON with its texts cut, its lists shortened and its numbers finite. */
export function cutValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cutText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => cutValue(item, depth + 1));
  const entries = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(entries.map(([key, item]) => [cutText(key), cutValue(item, depth + 1)]));
}

/** A table's profile as its schema wants it, about this file and no other; undefined when it is none. */
export function toTable(value: unknown, file: string): TableProfile | undefined {
  const { data } = tableProfileSchema.safeParse(value);
  if (!data || !areCounts(data)) return undefined;
  const { variable, alias, ...table } = data;
  return {
    ...table,
    file,
    ...(isName(variable) ? { variable } : {}),
    ...(isName(alias) ? { alias } : {}),
    columns: table.columns.slice(0, maxColumns).map((column) => ({
      ...column,
      ...(column.values ? { values: column.values.slice(0, maxValues) } : {}),
      samples: column.samples.slice(0, 10).map(toScalar),
    })),
    sample: table.sample.slice(0, 5).map((row) => row.slice(0, maxColumns).map(toScalar)),
    notes: table.notes.slice(0, maxNotes),
  };
}

function areCounts({ rows, loaded_rows, duplicate_rows = 0, columns }: TableProfile): boolean {
  const counts = [
    rows,
    loaded_rows,
    duplicate_rows,
    ...columns.flatMap((one) => [one.missing, one.distinct ?? 0]),
  ];
  return counts.every((count) => count >= 0);
}

/** It goes into code and into a prompt. */
function isName(name: string | undefined): name is string {
  return name !== undefined && /^[\p{L}_][\p{L}\p{M}\p{N}_]{0,63}$/u.test(name);
}

function toScalar(value: unknown): unknown {
  return typeof value === "object" ? null : value;
}

function cutText(text: string): string {
  return text.length <= maxTextChars ? text : `${text.slice(0, maxTextChars - 1)}…`;
}
