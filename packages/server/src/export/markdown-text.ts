import type { WireTable } from "@atoll/protocol";
import { labelOf, show } from "./html-table.ts";

const maxTableRows = 50;

/** Code between fences that are longer than any inside it. */
export function fence(content: string, language = ""): string {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(Math.max(3, longest + 1));
  return `${ticks}${language}\n${content.replace(/\n$/, "")}\n${ticks}`;
}

/** What a user wrote, set apart: its own headings and fences stay within. */
export function quoteMarkdown(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

export function tableToMarkdown({ columns, rows, index, index_names, total_rows }: WireTable): string {
  const corner = index ? [index_names?.filter((name) => name !== null).join(" / ") ?? ""] : [];
  const heads = [...corner, ...columns.map(({ name }) => name)];
  if (heads.length === 0) return `${total_rows} rows without columns`;
  const shown = rows.slice(0, maxTableRows);
  const lines = shown.map((row, position) =>
    toRow([...(index ? [labelOf(index[position])] : []), ...row.map(show)]),
  );
  const more =
    shown.length < total_rows ? [`\n${total_rows} rows in all, the first ${shown.length} are shown.`] : [];
  return [toRow(heads), toRow(heads.map(() => "---")), ...lines, ...more].join("\n");
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(" | ")} |`;
}

function escapeCell(text: string): string {
  const escaped = text.replace(/[\\|`*_[\]<>]/g, (char) => `\\${char}`).replace(/\r?\n/g, " ");
  return escaped.length > 200 ? `${escaped.slice(0, 199)}…` : escaped;
}
