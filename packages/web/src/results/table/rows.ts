export interface Row {
  readonly cells: readonly unknown[];
  /** The index: one value for each of its levels. */
  readonly labels: readonly unknown[];
}

/** A column by its position, from 0; a level of the index from -1 downwards. */
export interface Sorting {
  readonly column: number;
  readonly isDescending: boolean;
}

interface Part {
  readonly rows: readonly (readonly unknown[])[];
  readonly index?: readonly unknown[] | undefined;
}

export function readRows({ rows, index }: Part): Row[] {
  return rows.map((cells, at) => ({ cells, labels: index ? labelsOf(index[at]) : [] }));
}

/** Rows that contain every word, in any column. */
export function filterRows(rows: readonly Row[], words: string): readonly Row[] {
  const wanted = words.trim().toLowerCase().split(/\s+/);
  if (wanted[0] === "") return rows;
  return rows.filter(({ cells, labels }) => {
    const texts = [...labels, ...cells].map((cell) => String(cell ?? "").toLowerCase());
    return wanted.every((word) => texts.some((text) => text.includes(word)));
  });
}

/** Missing values come last in both directions. */
export function sortRows(rows: readonly Row[], sorting: Sorting | undefined): readonly Row[] {
  if (!sorting) return rows;
  const { column, isDescending } = sorting;
  const sign = isDescending ? -1 : 1;
  const valueOf = ({ cells, labels }: Row) => (column < 0 ? labels[-1 - column] : cells[column]);
  return rows.toSorted((left, right) => {
    const [a, b] = [valueOf(left), valueOf(right)];
    if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
    if (b === null || b === undefined) return -1;
    return sign * compare(a, b);
  });
}

/** As spreadsheets read it: with commas for a file, with tabs for the clipboard. */
export function toDelimited(names: readonly string[], rows: readonly Row[], delimiter: "," | "\t"): string {
  const lines = [names, ...rows.map(({ cells, labels }) => [...labels, ...cells])];
  return lines.map((cells) => cells.map((cell) => quote(cell, delimiter)).join(delimiter)).join("\n");
}

/** Ascending, then descending, then unsorted. */
export function nextSorting(sorting: Sorting | undefined, column: number): Sorting | undefined {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? undefined : { column, isDescending: true };
}

/** Numbers and their headings are right-aligned. */
export function isNumeric(dtype: string): boolean {
  return /^(u?int|float|complex|decimal|double)/i.test(dtype);
}

function labelsOf(label: unknown): readonly unknown[] {
  return Array.isArray(label) ? label : [label];
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function quote(cell: unknown, delimiter: string): string {
  const text =
    cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
  return text.includes(delimiter) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
