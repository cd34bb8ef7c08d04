import type { WireTable } from "@atoll/protocol";
import type { Plan } from "../plan.ts";
import { wordGroups } from "./groups.ts";
import { wordNotes } from "./notes.ts";
import { wordColumns, wordDescribe, wordRows, wordValues } from "./overview.ts";
import { wordDuplicates, wordMissing, wordOutliers } from "./quality.ts";
import { wordCorrelation, wordDistribution } from "./spread.ts";
import { Result } from "./result.ts";
import { wordGrowth, wordTrend } from "./time.ts";
import { wordCompare, wordShareOf, wordTotal } from "./totals.ts";
import { escapeMarkdown } from "./result.ts";
import { filtersTerm } from "./terms.ts";

const WRITERS: Readonly<
  Record<Plan["kind"], (plan: Plan, result: Result, all: readonly Result[]) => string>
> = {
  total: wordTotal,
  groups: wordGroups,
  trend: wordTrend,
  growth: wordGrowth,
  compare: wordCompare,
  "share-of": wordShareOf,
  distribution: wordDistribution,
  correlation: wordCorrelation,
  outliers: wordOutliers,
  missing: wordMissing,
  duplicates: wordDuplicates,
  describe: wordDescribe,
  columns: wordColumns,
  rows: wordRows,
  values: wordValues,
};

/** The answer in words. Every number in it is read from the tables of the run. */
export function wordAnswer(plan: Plan, tables: readonly WireTable[]): string {
  const results = tables.map((table) => new Result(table));
  const main = results.at(-1);
  if (main === undefined) return plan.language === "zh" ? "运行没有返回结果表。" : "The run gave no table.";
  const isEmpty = isNothing(plan, main);
  const body = isEmpty ? wordNothing(plan) : WRITERS[plan.kind](plan, main, results);
  return [body, ...wordNotes(plan, isEmpty)].join("\n\n");
}

function isNothing(plan: Plan, result: Result): boolean {
  if (plan.kind === "duplicates" || plan.kind === "outliers") return false;
  if (plan.kind === "total") return plan.filters.length > 0 && result.number(0, "rows") === 0;
  if (plan.kind === "distribution") return result.number(0, result.names[1] ?? "") === 0;
  return result.total === 0;
}

function wordNothing(plan: Plan): string {
  const filters = escapeMarkdown(filtersTerm(plan.filters, plan.language));
  if (plan.language === "zh") return filters === "" ? "没有数据。" : `没有符合条件的记录（${filters}）。`;
  return filters === "" ? "There are no rows to answer this from." : `No rows match: ${filters}.`;
}
