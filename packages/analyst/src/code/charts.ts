import { isTextual } from "@atoll/protocol";
import type { Group, Measure, Plan } from "../plan.ts";
import { chartText, mayHaveDollars, needsFont } from "./chart-text.ts";
import { indent, pick } from "./python.ts";
import { chartTitle } from "./titles.ts";
import { capital, groupTerm, measureTerm } from "../wording/terms.ts";

/** Lines that end every chart; `axis` carries the numbers. */
export interface ChartFrame {
  readonly plan: Plan;
  readonly title?: string;
  readonly mayBeEmpty: boolean;
}

export function drawChart(
  lines: readonly string[],
  { plan, title, mayBeEmpty }: ChartFrame,
  result: string,
): string[] {
  const dollars = mayHaveDollars(plan) ? ['plt.rcParams["text.parse_math"] = False'] : [];
  const body = [
    ...dollars,
    ...lines,
    `ax.set_title(${chartText(title ?? chartTitle(plan), plainTitle(plan), plan)})`,
  ];
  return mayBeEmpty ? [`if not ${result}.empty:`, ...indent(body)] : body;
}

/** What a chart shows when its names cannot be written. */
function plainTitle(plan: Plan): string {
  const time = plan.groups.find((group) => group.kind === "time");
  const aggregate = plan.measures[0]?.aggregate ?? "count";
  const word = capital(
    {
      sum: "total",
      mean: "average",
      distinct: "different values",
      std: "standard deviation",
      rate: "share",
      median: "median",
      count: "number of rows",
      min: "lowest",
      max: "highest",
    }[aggregate],
  );
  return time?.kind === "time" ? `${word} by ${time.grain}` : `${word}, in the order of the table`;
}

export function isCharted(plan: Plan): boolean {
  return plan.chart !== "none";
}

/** The labels of categories: names, or positions where no font can write them. */
export function labelsOf(table: string, name: string, group: Group, plan: Plan): string {
  const cells = pick(table, name);
  const isText =
    (group.kind === "column" && isTextual(group.column.kind) && group.column.missing === 0) ||
    group.kind === "time";
  const labels = isText
    ? cells
    : group.column.missing > 0
      ? `${cells}.astype(str).fillna("(missing)")`
      : `${cells}.astype(str)`;
  return needsFont(plan) ? `${labels} if font else [f"#{n}" for n in range(1, len(${table}) + 1)]` : labels;
}

/** How ticks of a measure are written. */
export function tickFormat(measure: Measure | undefined, isShare = false): string {
  if (isShare || measure?.aggregate === "rate") return '"{x:.0f}%"';
  const { aggregate, column } = measure ?? { aggregate: "count" as const };
  if (column === undefined || aggregate === "sum" || aggregate === "distinct") return '"{x:,.0f}"';
  const size = Math.max(Math.abs(Number(column.min)), Math.abs(Number(column.max)));
  const isMiddle = aggregate === "mean" || aggregate === "median" || aggregate === "std";
  if (size < 10) return '"{x:,.2f}"';
  return isMiddle && Math.abs(column.mean ?? size) < 100 ? '"{x:,g}"' : '"{x:,.0f}"';
}

export function labelFormat(measure: Measure | undefined, isShare = false): string {
  if (isShare || measure?.aggregate === "rate") return '"{:.1f}%"';
  const { aggregate, column } = measure ?? { aggregate: "count" as const };
  if (column === undefined || aggregate === "sum" || aggregate === "distinct") return '"{:,.0f}"';
  const isMiddle = aggregate === "mean" || aggregate === "median";
  const size =
    isMiddle && column.mean !== undefined
      ? Math.abs(column.mean)
      : Math.max(Math.abs(Number(column.min)), Math.abs(Number(column.max)));
  return size >= 1000 ? '"{:,.0f}"' : size < 10 ? '"{:,.2f}"' : '"{:,.1f}"';
}

export function axisLabel(measure: Measure | undefined, plan: Plan): string {
  if (plan.isShare === true)
    return chartText(plan.language === "zh" ? "占比（%）" : "Share (%)", "Share (%)", plan);
  return chartText(capital(measureTerm(measure ?? { aggregate: "count" }, plan)), "Value", plan);
}

export function groupLabel(group: Group, plan: Plan): string {
  return chartText(capital(groupTerm(group, plan.language)), "Row of the table", plan);
}

export const SUBPLOTS = "fig, ax = plt.subplots(figsize=(8, 4.5))";
export const NO_BOX = 'ax.spines[["top", "right"]].set_visible(False)';

/** Bars lie when their names are long or many. */
export function isLying(group: Group, count: number): boolean {
  if (group.kind !== "column") return false;
  if (group.column.kind === "number") return false;
  const longest = Math.max(0, ...(group.column.values ?? []).map((value) => value.length));
  return count > 8 || longest > 10 || (group.column.values === undefined && group.column.kind !== "boolean");
}

export function heightFor(count: number): string {
  return `fig, ax = plt.subplots(figsize=(8, ${Math.max(3, Math.min(9, 1.4 + 0.36 * count)).toFixed(1)}))`;
}
