/** A value as it stands in a table. `dtype` is that of its column. */
export function showCell(cell: unknown, dtype: string, locale?: string): string {
  if (cell === null || cell === undefined) return "–";
  if (typeof cell === "number") return showNumber(cell, locale);
  if (typeof cell === "object") return JSON.stringify(cell);
  return dtype.startsWith("datetime64") ? showMoment(String(cell)) : String(cell);
}

/** Years and other short numbers are left as they are; what is rounded here is whole in the file. */
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

/** Days without a time of day are days. */
function showMoment(iso: string): string {
  return iso.replace("T", " ").replace(/ 00:00:00(\.0+)?$/, "");
}
