import type { ColumnProfile } from "@atoll/protocol";
import type { Measure, Plan } from "../plan.ts";
import { measureName } from "./names.ts";
import { keyword, literal, pick } from "./python.ts";
import { isTextFlag } from "./rows.ts";

/** What pandas calls each aggregate, e.g. for `aggfunc`. A rate is the mean of its flags. */
export const PANDAS_NAMES = {
  sum: "sum",
  mean: "mean",
  median: "median",
  min: "min",
  max: "max",
  std: "std",
  distinct: "nunique",
  count: "size",
  rate: "mean",
} as const;

/** `total_amount=("amount", "sum")`, for `groupby(…).agg`. */
export function namedAggregate(measure: Measure, plan: Plan): string {
  const { aggregate, column } = measure;
  if (aggregate === "count" || column === undefined) {
    return keyword(measureName(measure, plan), `(${literal(countable(plan).name)}, "size")`);
  }
  const how =
    aggregate === "rate" ? `lambda flags: ${rate("flags", column)}` : literal(PANDAS_NAMES[aggregate]);
  return keyword(measureName(measure, plan), `(${literal(column.name)}, ${how})`);
}

/** The same over all rows. */
export function scalar(measure: Measure, frame: string): string {
  const { aggregate, column } = measure;
  if (aggregate === "count" || column === undefined) return `len(${frame})`;
  if (aggregate === "rate") return rate(pick(frame, column), column);
  return `${pick(frame, column)}.${PANDAS_NAMES[aggregate]}()`;
}

function rate(series: string, column: ColumnProfile): string {
  if (isTextFlag(column))
    return `100 * ${series}.dropna().astype(str).str.lower().isin(["true", "yes", "y", "1"]).mean()`;
  return column.missing > 0 ? `100 * ${series}.dropna().astype(float).mean()` : `100 * ${series}.mean()`;
}

/** Any column does to count rows, but not one that is grouped by. */
function countable(plan: Plan): ColumnProfile {
  const groups = plan.groups.map((group) => group.column);
  return plan.source.columns.find((column) => !groups.includes(column)) ?? plan.source.columns[0]!;
}

/** Decimals that keep what matters of numbers of this size. */
export function decimalsOf(plan: Plan): number {
  const sizes = plan.measures.flatMap(({ aggregate, column }) => {
    if (column === undefined || aggregate === "count" || aggregate === "distinct" || aggregate === "rate")
      return [100];
    const size = Math.max(Math.abs(Number(column.min)), Math.abs(Number(column.max)));
    return [Number.isFinite(size) ? size : 100];
  });
  const size = Math.max(0, ...sizes);
  if (size < 1) return 4;
  return size < 10 ? 3 : 2;
}
