import { groupName, measureName } from "../code/names.ts";
import { cumulativeName, timeOf } from "../code/trend.ts";
import type { Plan } from "../plan.ts";
import { amount } from "./groups.ts";
import { formatChange, formatNumber } from "./numbers.ts";
import { escapeMarkdown, type Result } from "./result.ts";
import { capital, groupTerm, measureTerm } from "./terms.ts";

export function wordTrend(plan: Plan, result: Result): string {
  if (plan.groups.length > 1) return wordSplit(plan, result);
  const time = timeOf(plan);
  const name = groupName(time, plan);
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const value = measureName(measure, plan);
  const term = escapeMarkdown(measureTerm(measure, plan));
  const [top, low] = [result.extreme(value, "max"), result.extreme(value, "min")];
  const end = result.length - 1;
  const point = (row: number): string =>
    `${result.label(row, name)} (${amount(result, row, value, measure)})`;
  const isChinese = plan.language === "zh";
  if (top === undefined || low === undefined)
    return isChinese ? "没有可用的数值。" : "There are no values to follow over time.";
  const span = `${result.label(0, name)} – ${result.label(end, name)}`;
  if (result.total > 1 && result.number(top, value) === result.number(low, value)) {
    const same = amount(result, top, value, measure);
    return isChinese
      ? `${term}在每个${groupTerm(time, "zh")}都是 **${same}**（${span}）。`
      : `${capital(term)} is **${same}** in every ${groupTerm(time, "en")}, ${span}.`;
  }
  const isWhole = result.total === result.length;
  const unit = groupTerm(time, plan.language);
  const lines = isChinese
    ? [
        `${term}（按${unit}，${span}，共 ${formatNumber(result.total)} 个）：最高为 **${point(top)}**，最低为 **${point(low)}**。`,
        ...(isWhole ? [`从 ${point(0)} 到 ${point(end)}。`] : []),
      ]
    : [
        `${capital(term)} by ${unit}, ${span} (${formatNumber(result.total)} ${unit}s): highest in **${point(top)}**, lowest in **${point(low)}**.`,
        ...(isWhole && end > 0
          ? [
              `It goes from ${amount(result, 0, value, measure)} in the first ${unit} to ${amount(result, end, value, measure)} in the last.`,
            ]
          : []),
      ];
  if (plan.isCumulative === true && isWhole)
    lines.push(
      isChinese
        ? `累计 **${result.text(end, cumulativeName(value))}**。`
        : `The running total reaches **${result.text(end, cumulativeName(value))}**.`,
    );
  return lines.join(isChinese ? "" : " ");
}

function wordSplit(plan: Plan, result: Result): string {
  const [name, ...columns] = result.names;
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const term = escapeMarkdown(measureTerm(measure, plan));
  const split = escapeMarkdown(
    groupTerm(
      plan.groups.find((group) => group.kind !== "time")!,
      plan.language,
    ),
  );
  const unit = groupTerm(timeOf(plan), plan.language);
  const peaks = columns.slice(0, 8).flatMap((column) => {
    const row = result.extreme(column, "max");
    return row === undefined
      ? []
      : [
          `- ${escapeMarkdown(column)}: ${result.label(row, name ?? "")} (${amount(result, row, column, measure)})`,
        ];
  });
  const span = `${result.label(0, name ?? "")} – ${result.label(result.length - 1, name ?? "")}`;
  const lead =
    plan.language === "zh"
      ? `按${unit}和${split}的${term}（${span}）。各自最高的${unit}：`
      : `${capital(term)} by ${unit} for each ${split}, ${span}. The highest ${unit} of each:`;
  return `${lead}\n\n${peaks.join("\n")}`;
}

export function wordGrowth(plan: Plan, result: Result): string {
  if (plan.groups.length > 1) return wordGroupGrowth(plan, result);
  const time = timeOf(plan);
  const name = groupName(time, plan);
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const value = measureName(measure, plan);
  const term = escapeMarkdown(measureTerm(measure, plan));
  const unit = groupTerm(time, plan.language);
  const end = result.length - 1;
  const isChinese = plan.language === "zh";
  if (result.total < 2)
    return isChinese
      ? `只有一个${unit}，无法计算变化：${amount(result, 0, value, measure)}。`
      : `There is only one ${unit} (${result.label(0, name)}: ${amount(result, 0, value, measure)}), so there is no change to show.`;
  const change = formatChange(result.cell(end, "change_percent"));
  const [rise, fall] = [result.extreme("change_percent", "max"), result.extreme("change_percent", "min")];
  const lead = isChinese
    ? `${term}在 ${result.label(end, name)} 为 **${amount(result, end, value, measure)}**，较上一${unit}（${amount(result, end - 1, value, measure)}）变化 **${change}**。`
    : `In ${result.label(end, name)} the ${term} is **${amount(result, end, value, measure)}**, **${change}** on the ${unit} before (${amount(result, end - 1, value, measure)}).`;
  if (result.total < 3 || rise === undefined || fall === undefined) return lead;
  const at = (row: number): string =>
    `${result.label(row, name)} (${formatChange(result.cell(row, "change_percent"))})`;
  const isFall = (result.number(fall, "change_percent") ?? 0) < 0;
  if (isChinese) return `${lead}增幅最大：${at(rise)}；${isFall ? "降幅最大" : "增幅最小"}：${at(fall)}。`;
  return `${lead} The strongest rise was in ${at(rise)}, the ${isFall ? "strongest fall" : "weakest rise"} in ${at(fall)}.`;
}

function wordGroupGrowth(plan: Plan, result: Result): string {
  const [name, first, last] = result.names;
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const term = escapeMarkdown(measureTerm(measure, plan));
  const isChinese = plan.language === "zh";
  if (name === undefined || first === undefined || last === undefined || !result.names.includes("change"))
    return isChinese ? "期间不足，无法比较。" : "There are not enough periods to compare.";
  const line = (row: number): string =>
    `${amount(result, row, first, measure)} → ${amount(result, row, last, measure)} (${formatChange(result.cell(row, "change_percent"))})`;
  const lines = Array.from(
    { length: Math.min(5, result.length) },
    (_, row) => `${row + 1}. ${result.label(row, name)}: ${line(row)}`,
  );
  const isFall = (result.number(0, "change") ?? 0) < 0;
  const group = escapeMarkdown(
    groupTerm(
      plan.groups.find((each) => each.kind !== "time")!,
      plan.language,
    ),
  );
  const period = `${escapeMarkdown(first)} → ${escapeMarkdown(last)}`;
  const lead = isChinese
    ? `${period}，${term}${isFall ? "下降" : "增长"}最多的${group}是 **${result.label(0, name)}**：**${amount(result, 0, "change", measure)}**。`
    : `From ${escapeMarkdown(first)} to ${escapeMarkdown(last)}, **${result.label(0, name)}** has the largest ${isFall ? "fall" : "rise"} in ${term}: **${amount(result, 0, "change", measure)}**.`;
  return `${lead}\n\n${lines.join("\n")}`;
}
