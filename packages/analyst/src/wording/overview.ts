import { type Plan, subjectOf } from "../plan.ts";
import { formatNumber } from "./numbers.ts";
import { escapeMarkdown, type Result } from "./result.ts";
import { columnTerm, filtersTerm, plural, rowsTerm } from "./terms.ts";

export function wordDescribe(plan: Plan, result: Result, all: readonly Result[]): string {
  const isChinese = plan.language === "zh";
  const overview = all.find((each) => each.names.includes("missing_cells")) ?? result;
  const day = (name: string): string => String(overview.cell(0, name) ?? "").slice(0, 10);
  const hasDates = overview.names.includes("from");
  const name = escapeMarkdown(plan.source.name);
  const figures = result.names.includes("mean")
    ? Array.from({ length: Math.min(5, result.length) }, (_, row) => figureLine(result, row, isChinese))
    : [];
  const lead = isChinese
    ? `${name} 有 **${overview.text(0, "rows")}** 行、**${overview.text(0, "columns")}** 列${hasDates ? `，时间从 ${day("from")} 到 ${day("to")}` : ""}；缺失单元格 ${overview.text(0, "missing_cells")} 个，重复行 ${overview.text(0, "repeated_rows")} 行。`
    : `${name} has **${overview.text(0, "rows")}** rows and **${overview.text(0, "columns")}** columns${hasDates ? `, from ${day("from")} to ${day("to")}` : ""}, with ${overview.text(0, "missing_cells")} missing cells and ${overview.text(0, "repeated_rows")} repeated rows.`;
  return figures.length === 0 ? lead : `${lead}\n\n${figures.join("\n")}`;
}

function figureLine(result: Result, row: number, isChinese: boolean): string {
  const [mean, median, min, max] = ["mean", "50%", "min", "max"].map((name) => result.text(row, name));
  const name = result.label(row, "column");
  return isChinese
    ? `- ${name}：平均 ${mean ?? ""}，中位数 ${median ?? ""}，范围 ${min ?? ""} 至 ${max ?? ""}`
    : `- ${name}: mean ${mean ?? ""}, median ${median ?? ""}, from ${min ?? ""} to ${max ?? ""}`;
}

export function wordColumns(plan: Plan, result: Result): string {
  const names = Array.from({ length: Math.min(40, result.length) }, (_, row) => result.label(row, "column"));
  const rest = result.total > names.length ? ", …" : "";
  const name = escapeMarkdown(plan.source.name);
  if (plan.language === "zh")
    return `${name} 有 **${formatNumber(result.total)}** 列：${names.join("、")}${rest}。`;
  return `${name} has **${formatNumber(result.total)}** columns: ${names.join(", ")}${rest}.`;
}

export function wordRows(plan: Plan, result: Result): string {
  const isChinese = plan.language === "zh";
  const filters = escapeMarkdown(filtersTerm(plan.filters, plan.language));
  const rows = rowsTerm(plan);
  const [sortBy] = plan.columns ?? [];
  if (plan.wantsOne === true && sortBy !== undefined) return wordFirst(plan, result);
  const count = `**${formatNumber(result.total)}**`;
  if (sortBy !== undefined) {
    const term = escapeMarkdown(columnTerm(sortBy));
    const end = plan.order === "ascending" ? (isChinese ? "最低" : "lowest") : isChinese ? "最高" : "highest";
    const [first, last] = [
      cellText(result, 0, sortBy.name),
      cellText(result, Math.min(result.length, result.total) - 1, sortBy.name),
    ];
    const where = filters === "" ? "" : isChinese ? `（${filters}）` : ` where ${filters}`;
    return isChinese
      ? `${term}${end}的 ${count} 行${where}：从 **${first}** 到 **${last}**。`
      : `The ${count} ${rows} with the ${end} ${term}${where}, from **${first}** to **${last}**.`;
  }
  if (filters !== "" && plan.limit === undefined)
    return isChinese ? `有 ${count} 行符合：${filters}。` : `${count} ${rows} match: ${filters}.`;
  const which = plan.order === "ascending" ? (isChinese ? "最后" : "last") : isChinese ? "前" : "first";
  const where = filters === "" ? "" : isChinese ? `（${filters}）` : ` where ${filters}`;
  return isChinese ? `${which} ${count} 行${where}：` : `The ${which} ${count} ${rows}${where}:`;
}

/** The one row asked for, with what else it says. */
function wordFirst(plan: Plan, result: Result): string {
  const sortBy = subjectOf(plan);
  const isLow = plan.order === "ascending";
  const value = `**${cellText(result, 0, sortBy.name)}**`;
  const term = escapeMarkdown(columnTerm(sortBy));
  const details = result.names
    .filter((name) => name !== sortBy.name)
    .slice(0, 6)
    .map((name) => `${escapeMarkdown(name)} ${cellText(result, 0, name)}`);
  const filters = plan.filters.length === 0 ? "" : escapeMarkdown(filtersTerm(plan.filters, plan.language));
  if (plan.language === "zh") {
    return `${filters === "" ? "" : `（${filters}）`}${isLow ? "最低" : "最高"}的${term}是 ${value}：${details.join("，")}。`;
  }
  const end = sortBy.kind === "date" ? (isLow ? "earliest" : "latest") : isLow ? "lowest" : "highest";
  return `The ${end} ${term}${filters === "" ? "" : ` where ${filters}`} is ${value}: ${details.join(", ")}.`;
}

function cellText(result: Result, row: number, name: string): string {
  const cell = result.cell(row, name);
  if (typeof cell === "number") return formatNumber(cell);
  return escapeMarkdown(typeof cell === "string" ? cell.replace(/[T ]00:00:00(\.0+)?$/, "") : cell);
}

export function wordValues(plan: Plan, result: Result): string {
  const column = subjectOf(plan);
  const term = escapeMarkdown(columnTerm(column));
  const counts = column.name === "count" ? "rows" : "count";
  const shown = Math.min(15, result.length);
  const items = Array.from(
    { length: shown },
    (_, row) => `${result.label(row, column.name)} (${result.text(row, counts)})`,
  );
  const rest = result.total > shown ? ", …" : "";
  if (plan.language === "zh")
    return `${term}共有 **${formatNumber(result.total)}** 个不同的值（括号内为行数）：${items.join("、")}${rest}。`;
  return `There are **${formatNumber(result.total)}** different ${plural(term)} (rows in brackets): ${items.join(", ")}${rest}.`;
}
