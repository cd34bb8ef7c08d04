import { groupName } from "../code/names.ts";
import { type Plan, subjectOf } from "../plan.ts";
import { formatNumber } from "./numbers.ts";
import { escapeMarkdown, type Result } from "./result.ts";
import { capital, columnTerm, groupTerm } from "./terms.ts";

export function wordDistribution(plan: Plan, result: Result): string {
  const column = subjectOf(plan);
  const term = escapeMarkdown(columnTerm(column));
  const isChinese = plan.language === "zh";
  const [group] = plan.groups;
  if (group !== undefined) {
    const name = groupName(group, plan);
    const [top, low] = [result.extreme("50%", "max") ?? 0, result.extreme("50%", "min") ?? 0];
    const split = escapeMarkdown(groupTerm(group, plan.language));
    const of = (row: number): string => `**${result.label(row, name)}** (${result.text(row, "50%")})`;
    return isChinese
      ? `按${split}看${term}：中位数最高的是 ${of(top)}，最低的是 ${of(low)}。`
      : `${capital(term)} by ${split}: the median is highest for ${of(top)} and lowest for ${of(low)}.`;
  }
  const value = (statistic: string): string => {
    const row = result.table.rows.findIndex((cells) => cells[0] === statistic);
    return formatNumber(result.table.rows[row]?.[1]);
  };
  if (isChinese) {
    return `${term}共 ${value("count")} 个值：中间一半在 **${value("25%")}** 与 **${value("75%")}** 之间，中位数 **${value("50%")}**，平均 **${value("mean")}**，范围 ${value("min")} 至 ${value("max")}，标准差 ${value("std")}。`;
  }
  return `Half of the ${value("count")} values of ${term} lie between **${value("25%")}** and **${value("75%")}**; the median is **${value("50%")}** and the mean **${value("mean")}**. They range from ${value("min")} to ${value("max")}, with a standard deviation of ${value("std")}.`;
}

export function wordCorrelation(plan: Plan, result: Result): string {
  const isChinese = plan.language === "zh";
  const named = plan.columns ?? [];
  if (named.length === 2) {
    const r = result.number(0, "correlation");
    const [x, y] = named.map((column) => escapeMarkdown(columnTerm(column)));
    const rows = result.text(0, "rows");
    if (r === undefined)
      return isChinese
        ? `${x ?? ""}与${y ?? ""}的相关系数无法计算（${rows} 行）。`
        : `The correlation of ${x ?? ""} and ${y ?? ""} cannot be computed from ${rows} rows: one of them does not vary.`;
    return isChinese
      ? `${x ?? ""}与${y ?? ""}的相关系数为 **${formatNumber(r)}**：${strength(r, true)}（${rows} 行）。`
      : `The correlation of ${x ?? ""} and ${y ?? ""} is **${formatNumber(r)}**: ${strength(r, false)} (${rows} rows with both).`;
  }
  const label = (row: number): string =>
    named.length === 1
      ? `${escapeMarkdown(columnTerm(named[0]!))} – ${result.label(row, "column")}`
      : `${result.label(row, "x")} – ${result.label(row, "y")}`;
  const top = result.number(0, "correlation") ?? 0;
  const lines = Array.from(
    { length: Math.min(5, result.length) },
    (_, row) => `${row + 1}. ${label(row)}: ${result.text(row, "correlation")}`,
  );
  const lead = isChinese
    ? `相关性最强的是 **${label(0)}**：**${formatNumber(top)}**（${strength(top, true)}）。`
    : `The strongest correlation is **${label(0)}**: **${formatNumber(top)}**, ${strength(top, false)}.`;
  return result.total > 1 ? `${lead}\n\n${lines.join("\n")}` : lead;
}

function strength(r: number, isChinese: boolean): string {
  const size = Math.abs(r);
  if (size < 0.1) return isChinese ? "几乎不相关" : "practically no linear relation";
  const word = size < 0.3 ? ["a weak", "弱"] : size < 0.6 ? ["a moderate", "中等"] : ["a strong", "强"];
  const sign = r > 0 ? ["positive", "正"] : ["negative", "负"];
  return isChinese ? `${word[1] ?? ""}${sign[1] ?? ""}相关` : `${word[0] ?? ""} ${sign[0] ?? ""} relation`;
}
