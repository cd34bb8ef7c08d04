import type { WireTable } from "@atoll/protocol";
import { formatNumber, formatPercent } from "./numbers.ts";

/** A table of a run, read by names. */
export class Result {
  readonly table: WireTable;

  constructor(table: WireTable) {
    this.table = table;
  }

  get total(): number {
    return this.table.total_rows;
  }

  get length(): number {
    return this.table.rows.length;
  }

  get names(): readonly string[] {
    return this.table.columns.map((column) => column.name);
  }

  cell(row: number, name: string): unknown {
    const position = this.names.indexOf(name);
    return position < 0 ? undefined : this.table.rows.at(row)?.[position];
  }

  number(row: number, name: string): number | undefined {
    const cell = this.cell(row, name);
    return typeof cell === "number" && Number.isFinite(cell) ? cell : undefined;
  }

  /** The row where a column is greatest or least; undefined when it has no number. */
  extreme(name: string, end: "max" | "min"): number | undefined {
    let found: number | undefined;
    for (let row = 0; row < this.length; row += 1) {
      const value = this.number(row, name);
      const best = found === undefined ? undefined : this.number(found, name);
      if (value === undefined) continue;
      if (best === undefined || (end === "max" ? value > best : value < best)) found = row;
    }
    return found;
  }

  /** A label of the data, safe in Markdown. */
  label(row: number, name: string): string {
    return escapeMarkdown(this.cell(row, name));
  }

  text(row: number, name: string, decimals?: number): string {
    return formatNumber(this.cell(row, name), decimals);
  }

  percent(row: number, name: string): string {
    return formatPercent(this.cell(row, name));
  }
}

const MAX_LABEL_CHARS = 80;

/** Text of the data must not become formatting, a link or HTML. */
export function escapeMarkdown(value: unknown): string {
  if (value === null || value === undefined) return "(missing)";
  const text = String(value).replaceAll(/\s+/g, " ").trim();
  const cut = text.length > MAX_LABEL_CHARS ? `${text.slice(0, MAX_LABEL_CHARS - 1)}…` : text;
  const inline = cut.replaceAll(/[\\`*[\]<|~$]/g, String.raw`\$&`);
  // Inside a word an underscore is plain, and so are these signs anywhere but at the start.
  return inline
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replace(/^(?=[>#+-])/, "\\");
}
