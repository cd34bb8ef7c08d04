import type { Machine } from "./machine.ts";
import { type Figure, type Findings, isMissing } from "./measure.ts";
import { mean, median, p95 } from "./stats.ts";

/** A figure with what was found for it: numbers, or the reason why there are none. */
interface Row {
  readonly figure: Figure;
  readonly middle: number | null;
  readonly p95: number | null;
  readonly n: number;
  readonly reason: string | undefined;
}

export function toJson(
  figures: readonly Figure[],
  findings: Findings,
  machine: Machine,
): Record<string, unknown> {
  const rows = figures.map((figure) => summarize(figure, findings));
  const collect = (value: (row: Row) => unknown, from = rows) =>
    Object.fromEntries(from.map((row) => [row.figure.key, value(row)]));
  return {
    ...collect((row) => row.middle),
    p95: collect((row) => row.p95),
    n: collect((row) => row.n),
    reasons: collect(
      (row) => row.reason,
      rows.filter(({ reason }) => reason !== undefined),
    ),
    machine,
  };
}

/** Only the figures that were asked for. */
export function toTable(figures: readonly Figure[], findings: Findings): string {
  const rows = figures.filter(({ key }) => key in findings).map((figure) => summarize(figure, findings));
  const cells = rows.map((row) => [
    row.figure.label,
    row.middle === null ? "–" : `${round(row.middle)} ${row.figure.unit}`,
    row.p95 === null || row.n < 2 ? "" : String(round(row.p95)),
    row.n === 0 ? "" : String(row.n),
    judge(row),
    row.reason?.split("\n")[0] ?? compare(row, rows),
  ]);
  const lines = [["", "median", "p95", "n", "goal", ""], ...cells];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const isText = (column: number) => column === 0 || column > 3;
  return lines
    .map((line) =>
      line.map((cell, column) =>
        isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      ),
    )
    .map((line) => line.join("  ").trimEnd())
    .join("\n");
}

function summarize(figure: Figure, findings: Findings): Row {
  const finding = findings[figure.key] ?? { missing: "not asked for" };
  if (isMissing(finding)) return { figure, middle: null, p95: null, n: 0, reason: finding.missing };
  const middle = figure.middle === "mean" ? mean(finding) : median(finding);
  const isMoreBetter = figure.unit === "MB/s";
  return {
    figure,
    middle: round(middle),
    p95: round(p95(finding, { isMoreBetter })),
    n: finding.length,
    reason: undefined,
  };
}

function compare(row: Row, rows: readonly Row[]): string {
  const others = rows.filter(({ figure }) => row.figure.beside?.includes(figure.key));
  return others
    .map((other) => {
      if (row.middle === null || other.middle === null) return undefined;
      const ratio = row.figure.unit === "MB/s" ? row.middle / other.middle : other.middle / row.middle;
      return `${ratio >= 10 ? Math.round(ratio) : ratio.toFixed(1)}× as fast as ${other.figure.label}`;
    })
    .filter((text) => text !== undefined)
    .join(", ");
}

function judge({ figure: { goal }, middle }: Row): string {
  if (!goal) return "";
  const [sign, limit, isMet] =
    "atMost" in goal
      ? ["≤", goal.atMost, (middle ?? Infinity) <= goal.atMost]
      : ["≥", goal.atLeast, (middle ?? 0) >= goal.atLeast];
  return `${sign} ${limit}${middle === null ? "" : isMet ? " met" : " MISSED"}`;
}

/** Three figures are more than a shared machine can repeat. */
function round(value: number): number {
  return Number(value >= 100 ? value.toFixed(0) : value.toPrecision(3));
}
