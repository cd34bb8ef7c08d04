import type { WireTable } from "@atoll/protocol";

/** A table as notebooks show data frames. Everything in it is text: nothing becomes markup. */
export function tableToHtml({
  columns,
  rows,
  index,
  index_names,
  total_rows,
  total_columns,
}: WireTable): string {
  const corner = index ? [escape(index_names?.filter((name) => name !== null).join(" / ") ?? "")] : [""];
  const heads = [...corner, ...columns.map(({ name }) => escape(name))];
  const lines = rows.map((row, position) => {
    const label = index ? labelOf(index[position]) : String(position);
    return `<tr><th>${escape(label)}</th>${row.map((cell) => `<td>${escape(show(cell))}</td>`).join("")}</tr>`;
  });
  const size =
    rows.length < total_rows || columns.length < total_columns
      ? `<p>${total_rows} rows × ${total_columns} columns</p>`
      : "";
  const head = `<thead><tr>${heads.map((name) => `<th>${name}</th>`).join("")}</tr></thead>`;
  return `<table border="1" class="dataframe">\n${head}\n<tbody>\n${lines.join("\n")}\n</tbody>\n</table>${size}`;
}

export function show(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

export function labelOf(label: unknown): string {
  return Array.isArray(label) ? label.map(show).join(" / ") : show(label);
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
