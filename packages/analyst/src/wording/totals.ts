import { compareName } from "../code/totals.ts";
import { measureName } from "../code/names.ts";
import type { Plan } from "../plan.ts";
import { amount } from "./groups.ts";
import { formatChange, formatNumber } from "./numbers.ts";
import { escapeMarkdown, type Result } from "./result.ts";
import { capital, columnTerm, filterTerm, flagTerm, measureTerm, plural, rowsTerm } from "./terms.ts";

export function wordTotal(plan: Plan, result: Result): string {
  const isChinese = plan.language === "zh";
  const [first] = plan.measures;
  const rows = result.number(0, "rows");
  const of =
    rows === undefined
      ? ""
      : isChinese
        ? `（${formatNumber(rows)} 行）`
        : ` (${formatNumber(rows)} ${rowsTerm(plan)})`;
  if (plan.measures.length === 1 && first !== undefined) {
    const value = `**${amount(result, 0, measureName(first, plan), first)}**`;
    if (first.aggregate === "count")
      return isChinese ? `共有 ${value} 行。` : `There are ${value} ${rowsTerm(plan)}.`;
    const term = escapeMarkdown(measureTerm(first, plan));
    if (first.aggregate === "distinct" && first.column !== undefined) {
      const name = escapeMarkdown(columnTerm(first.column));
      return isChinese
        ? `共有 ${value} 个不同的${name}${of}。`
        : `There are ${value} different ${plural(name)}${of}.`;
    }
    if (first.aggregate === "rate" && first.column !== undefined) {
      const name = escapeMarkdown(flagTerm(first.column));
      return isChinese
        ? `${name}的比例为 ${value}${of}。`
        : `${capital(name)}: ${value} of ${rows === undefined ? rowsTerm(plan) : `${formatNumber(rows)} ${rowsTerm(plan)}`}.`;
    }
    return isChinese ? `${term}为 ${value}${of}。` : `The ${term} is ${value}${of}.`;
  }
  const lines = plan.measures.map(
    (measure) =>
      `- ${escapeMarkdown(capital(measureTerm(measure, plan)))}: **${amount(result, 0, measureName(measure, plan), measure)}**`,
  );
  return `${isChinese ? `结果${of}：` : `Over all${of || " rows"}:`}\n\n${lines.join("\n")}`;
}

export function wordShareOf(plan: Plan, result: Result): string {
  const [part] = plan.filters;
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const share = `**${result.percent(0, "share_percent")}**`;
  const [some, whole] = [amount(result, 0, "part", measure), amount(result, 0, "whole", measure)];
  const filter = part === undefined ? "" : escapeMarkdown(filterTerm(part, plan.language));
  const term = escapeMarkdown(measureTerm(measure, plan));
  if (plan.language === "zh") return `${filter}的部分占${term}的 ${share}（${some} / ${whole}）。`;
  if (part?.kind === "equals" && !part.isNegated && part.values.every((value) => typeof value === "string")) {
    const names = part.values.map((value) => escapeMarkdown(value)).join(" and ");
    return `${names} ${part.values.length === 1 ? "makes" : "make"} up ${share} of the ${term}: ${some} of ${whole}.`;
  }
  return `${share} of the ${term} is where ${filter}: ${some} of ${whole}.`;
}

export function wordCompare(plan: Plan, result: Result): string {
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const value = measureName(measure, plan);
  const name = compareName(plan);
  const term = escapeMarkdown(measureTerm(measure, plan));
  const hasCount = measure.aggregate !== "count" && result.names.includes("count");
  const lines = Array.from({ length: Math.min(result.length, 10) }, (_, row) => {
    const count = hasCount
      ? plan.language === "zh"
        ? `（${result.text(row, "count")} 行）`
        : ` (${result.text(row, "count")} ${rowsTerm(plan)})`
      : "";
    return `- ${result.label(row, name)}: ${amount(result, row, value, measure)}${count}`;
  });
  if (result.total < 2) {
    const only =
      plan.language === "zh"
        ? `只找到一个：${result.label(0, name)}。`
        : `Only ${result.label(0, name)} has rows.`;
    return `${only}\n\n${lines.join("\n")}`;
  }
  const top = result.extreme(value, "max") ?? 0;
  const lead = `**${result.label(top, name)}**`;
  const number = `**${amount(result, top, value, measure)}**`;
  const change = result.total === 2 ? formatChange(result.cell(1, "difference_percent")) : "";
  const [first, second] = [result.label(0, name), result.label(1, name)];
  const difference =
    result.total !== 2
      ? ""
      : plan.language === "zh"
        ? `${second} 相对 ${first}：${change}（${amount(result, 1, "difference", measure)}）。`
        : ` ${second} against ${first}: ${change} (${amount(result, 1, "difference", measure)}).`;
  const sentence =
    plan.language === "zh"
      ? `${lead} 的${term}最高：${number}。${difference}`
      : `${lead} has the highest ${term}: ${number}.${difference}`;
  return `${sentence}\n\n${lines.join("\n")}`;
}
