import { addDays, parseDay, toIso, weekdayOf } from "../language/days.ts";
import type { Grain, Plan } from "../plan.ts";
import { canBePie } from "../code/groups.ts";
import { calendarOf } from "../interpret/reading.ts";
import { escapeMarkdown } from "./result.ts";
import { filtersTerm } from "./terms.ts";

/** What a careful reader must know besides: filters, a join, a period cut short, words left out. */
export function wordNotes(plan: Plan, isEmpty: boolean): string[] {
  const isChinese = plan.language === "zh";
  const notes: string[] = [];
  const shown = plan.kind === "share-of" ? plan.filters.slice(1) : plan.filters;
  if (shown.length > 0 && !isEmpty && plan.kind !== "rows") {
    const filters = escapeMarkdown(filtersTerm(shown, plan.language));
    notes.push(isChinese ? `只统计：${filters}。` : `Only rows where: ${filters}.`);
  }
  const { join, partial } = plan.source;
  if (join !== undefined) {
    const key = join.leftKey === join.rightKey ? join.leftKey : `${join.leftKey} = ${join.rightKey}`;
    const [left, right] = [escapeMarkdown(join.leftName), escapeMarkdown(join.rightName)];
    notes.push(
      isChinese
        ? `已按 ${escapeMarkdown(key)} 连接 ${left} 与 ${right}。`
        : `I joined ${left} and ${right} by ${escapeMarkdown(key)}.`,
    );
    if (join.isManyToMany)
      notes.push(
        isChinese
          ? "注意：该键在两表中都不唯一，行可能重复计入。"
          : "Careful: the key is not unique in either table, so rows can count more than once.",
      );
  }
  if (partial !== undefined) {
    const [loaded, total] = [partial.loaded.toLocaleString("en-US"), partial.total.toLocaleString("en-US")];
    notes.push(
      isChinese
        ? `文件有 ${total} 行，只载入了前 ${loaded} 行。`
        : `The file has ${total} rows; only the first ${loaded} are loaded and counted.`,
    );
  }
  const cut = unfinished(plan);
  if (cut !== undefined && !isEmpty) notes.push(cut);
  if (plan.chart === "pie" && plan.kind === "groups" && !canBePie(plan)) {
    notes.push(
      isChinese
        ? "平均值不是整体的组成部分，因此用条形图而不是饼图。"
        : "These values are not parts of a whole, so the chart has bars instead of a pie.",
    );
  }
  if (plan.ignored.length > 0) {
    const words = plan.ignored.slice(0, 5).map((word) => `“${escapeMarkdown(word)}”`);
    notes.push(
      isChinese
        ? `以下词未能理解，已忽略：${words.join("、")}。`
        : `I did not understand ${words.join(", ")} and left it out.`,
    );
  }
  return notes;
}

/** A last month that the data covers only in part looks like a fall. */
function unfinished(plan: Plan): string | undefined {
  const time = plan.groups.find((group) => group.kind === "time");
  const calendar = calendarOf(plan.source);
  if ((plan.kind !== "trend" && plan.kind !== "growth") || time?.kind !== "time" || calendar === undefined)
    return undefined;
  const isCut = plan.filters.some(
    (filter) =>
      filter.kind === "period" &&
      filter.period.kind === "range" &&
      filter.period.to !== undefined &&
      filter.period.to <= calendar.last,
  );
  if (isCut || time.grain === "day" || addDays(calendar.last, 1) === startOfNext(calendar.last, time.grain))
    return undefined;
  const unit = { week: "周", month: "月", quarter: "季度", year: "年" }[time.grain];
  return plan.language === "zh"
    ? `数据截至 ${calendar.last}，最后一个${unit}不完整。`
    : `The data ends on ${calendar.last}, so the last ${time.grain} is not complete.`;
}

function startOfNext(iso: string, grain: Grain): string {
  const { year, month } = parseDay(iso) ?? { year: 1970, month: 1 };
  if (grain === "week") return addDays(iso, 7 - weekdayOf(iso));
  if (grain === "month") return toIso(year, month + 1, 1);
  return grain === "quarter" ? toIso(year, month - ((month - 1) % 3) + 3, 1) : toIso(year + 1, 1, 1);
}
