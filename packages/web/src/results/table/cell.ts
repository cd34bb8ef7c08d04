/** Formats a table's value. `dtype` is its column's. */
export function showCell(cell: unknown, dtype: string, locale?: string): string {
  if (cell === null || cell === undefined) return "–";
  if (typeof cell === "number") return showNumber(cell, locale);
  if (typeof cell === "object") return JSON.stringify(cell);
  return dtype.startsWith("datetime64") ? showMoment(String(cell)) : String(cell);
}

/** Short numbers such as years stay as they are. Rounding is for display only. */
function showNumber(value: number, locale: string | undefined): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return String(value);
  return formatFor(locale).format(value);
}

function formatFor(locale: string | undefined): Intl.NumberFormat {
  const key = locale ?? "";
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 6, useGrouping: "min2" });
  formats.set(key, format);
  return format;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Dates without a time of day show no time. */
function showMoment(iso: string): string {
  return iso.replace("T", " ").replace(/ 00:00:00(\.0+)?$/, "");
}
