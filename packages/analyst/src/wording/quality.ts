import type { Plan } from "../plan.ts";
import { formatNumber } from "./numbers.ts";
import { escapeMarkdown, type Result } from "./result.ts";
import { columnTerm } from "./terms.ts";

export function wordMissing(plan: Plan, result: Result): string {
  const isChinese = plan.language === "zh";
  const gaps = Array.from({ length: result.length }, (_, row) => row).filter(
    (row) => (result.number(row, "missing") ?? 0) > 0,
  );
  const [named] = plan.columns ?? [];
  const at = (row: number): string =>
    `${result.text(row, "missing")} (${result.percent(row, "missing_percent")})`;
  if (named !== undefined && result.total === 1) {
    const name = escapeMarkdown(columnTerm(named));
    return isChinese ? `${name}有 **${at(0)}** 个缺失值。` : `${name} has **${at(0)}** missing values.`;
  }
  if (gaps.length === 0)
    return isChinese
      ? `${formatNumber(result.total)} 列都没有缺失值。`
      : `None of the ${formatNumber(result.total)} columns has missing values.`;
  const lines = gaps.slice(0, 8).map((row) => `- ${result.label(row, "column")}: ${at(row)}`);
  const lead = isChinese
    ? `${formatNumber(result.total)} 列中有 **${formatNumber(gaps.length)}** 列有缺失值，最多的是 **${result.label(0, "column")}**。`
    : `**${formatNumber(gaps.length)}** of ${formatNumber(result.total)} columns ${gaps.length === 1 ? "has" : "have"} missing values, most of all **${result.label(0, "column")}**.`;
  return `${lead}\n\n${lines.join("\n")}`;
}

export function wordDuplicates(plan: Plan, result: Result, all: readonly Result[]): string {
  const summary = all.length > 1 ? all[0] : undefined;
  const isChinese = plan.language === "zh";
  const names = (plan.columns ?? []).map((column) => escapeMarkdown(columnTerm(column))).join(", ");
  const repeats = summary?.number(0, "repeats") ?? 0;
  const rows = summary === undefined ? "" : summary.text(0, "rows");
  if (repeats === 0) {
    if (isChinese) return names === "" ? `${rows} 行中没有重复行。` : `${rows} 行中 ${names} 没有重复。`;
    return names === ""
      ? `There are no duplicate rows among ${rows}.`
      : `No ${names} is there twice among ${rows} rows.`;
  }
  const count = `**${formatNumber(repeats)}**`;
  if (isChinese)
    return `${rows} 行中有 ${count} 行是重复的${names === "" ? "" : `（按 ${names}）`}，涉及 ${formatNumber(result.total)} 行，见表。`;
  const what = names === "" ? `repeat an earlier row` : `repeat a ${names} of an earlier row`;
  return `${count} of ${rows} rows ${what}. The table shows all ${formatNumber(result.total)} rows concerned, side by side.`;
}

export function wordOutliers(plan: Plan, result: Result, all: readonly Result[]): string {
  const limits = all.find((each) => each.names.includes("upper_limit")) ?? result;
  const isChinese = plan.language === "zh";
  const line = (row: number): string =>
    `${limits.text(row, "outliers")} (${limits.percent(row, "outliers_percent")})`;
  const range = (row: number): string =>
    `${limits.text(row, "lower_limit")} – ${limits.text(row, "upper_limit")}`;
  if (limits !== result || limits.total === 1) {
    const name = limits.label(0, "column");
    if (limits.number(0, "outliers") === 0)
      return isChinese
        ? `${name}没有离群值：所有值都在 ${range(0)} 之内。`
        : `${name} has no outliers: every value lies within ${range(0)}.`;
    return isChinese
      ? `${name}有 **${line(0)}** 个离群值，即在 ${range(0)} 之外（四分位距的 1.5 倍）。表中先列最远的。`
      : `${name} has **${line(0)}** outliers: values outside ${range(0)}, that is 1.5 interquartile ranges from the middle half. The table lists them, the farthest first.`;
  }
  const lines = Array.from(
    { length: Math.min(8, limits.length) },
    (_, row) =>
      `- ${limits.label(row, "column")}: ${line(row)}, ${isChinese ? "范围" : "limits"} ${range(row)}`,
  );
  const lead = isChinese
    ? `离群值最多的是 **${limits.label(0, "column")}**：**${line(0)}**（按 1.5 倍四分位距）。`
    : `**${limits.label(0, "column")}** has the most outliers: **${line(0)}**, by the rule of 1.5 interquartile ranges.`;
  return `${lead}\n\n${lines.join("\n")}`;
}
