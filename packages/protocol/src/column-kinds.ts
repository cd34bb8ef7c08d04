/** What a column is for an analyst. */
export const COLUMN_KINDS = ["number", "date", "text", "category", "boolean", "other"] as const;

export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** Whether the column's values are words. A new kind has to be decided here before anything compiles. */
export function isTextual(kind: ColumnKind): boolean {
  switch (kind) {
    case "text":
    case "category":
      return true;
    case "number":
    case "date":
    case "boolean":
    case "other":
      return false;
    default:
      return kind satisfies never;
  }
}
