/** A number as one writes it: thousands separated, no more decimals than it deserves. */
export function formatNumber(value: unknown, decimals?: number): string {
  if (typeof value !== "number" || !Number.isFinite(value))
    return value === null || value === undefined ? "–" : String(value);
  const size = Math.abs(value);
  const isWhole = Number.isInteger(value);
  const places =
    decimals ??
    (isWhole
      ? 0
      : size >= 1
        ? 2
        : size >= 0.01
          ? 3
          : size === 0
            ? 0
            : Math.min(12, 2 - Math.floor(Math.log10(size))));
  return value.toLocaleString("en-US", {
    minimumFractionDigits: isWhole && decimals === undefined ? 0 : Math.min(places, 2),
    maximumFractionDigits: places,
  });
}

export function formatPercent(value: unknown): string {
  if (typeof value !== "number" || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return `${value.toLocaleString("en-US", { minimumFractionDigits: size < 100 ? 1 : 0, maximumFractionDigits: size < 1 ? 2 : 1 })}%`;
}

/** With a sign, for changes. */
export function formatChange(value: unknown): string {
  const text = formatPercent(value);
  return typeof value === "number" && value > 0 ? `+${text}` : text;
}
