import type { Group, Measure, Plan } from "../plan.ts";
import { groupName, hasShare, measureName, shareName } from "../code/names.ts";
import { isCross } from "../code/cross.ts";
import { isFlag, isWhole } from "../schema/roles.ts";
import { formatNumber, formatPercent } from "./numbers.ts";
import { escapeMarkdown, type Result } from "./result.ts";
import { flagTerm, groupTerm, measureTerm, plural } from "./terms.ts";

const MAX_LINES = 10;

export function wordGroups(plan: Plan, result: Result): string {
  if (isCross(plan)) return wordCross(plan, result);
  if (plan.groups.length > 1) return wordPairs(plan, result);
  const name = groupName(plan.groups[0]!, plan);
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const value = measureName(measure, plan);
  const top = plan.order === "ascending" ? result.extreme(value, "min") : result.extreme(value, "max");
  const lead = leading(plan, result, name, value, top ?? 0, measure);
  const isShort = plan.limit !== undefined || result.total <= MAX_LINES;
  const lines = listing(plan, result, name, isShort ? MAX_LINES : 5);
  return result.total === 1 ? lead : `${lead}\n\n${lines}`;
}

/** The first sentence: who leads, with what. */
function leading(
  plan: Plan,
  result: Result,
  name: string,
  value: string,
  row: number,
  measure: Measure,
): string {
  const label = `**${labelOf(plan, result, row, name)}**`;
  const number = `**${amount(result, row, value, measure)}**${shareOf(plan, result, row)}`;
  const group = groupWords(plan.groups[0]!, plan);
  const term = escapeMarkdown(measureTerm(measure, plan));
  const isLow = plan.order === "ascending";
  if (plan.language === "zh") {
    if (result.total === 1) return `${label}：${term} ${number}。`;
    return `${term}${isLow ? "最低" : "最高"}的${group.one}是 ${label}：${number}${plan.limit === undefined ? `，共 ${formatNumber(result.total)} 个${group.one}` : ""}。`;
  }
  if (result.total === 1) return `${label}: ${term} ${number}.`;
  if (plan.isShare === true) {
    const share = `**${formatPercent(result.cell(row, shareName(plan)))}**`;
    const all = plan.limit === undefined ? ` of ${formatNumber(result.total)} ${group.many}` : "";
    return `${label} has the ${isLow ? "smallest" : "largest"} share of the ${term}${all}: ${share} (${amount(result, row, value, measure)}).`;
  }
  const superlative =
    measure.aggregate === "max" || measure.aggregate === "min"
      ? "leads with"
      : `has the ${isLow ? "lowest" : "highest"}`;
  const of = plan.limit === undefined ? ` of ${formatNumber(result.total)} ${group.many}` : "";
  return `${label} ${superlative} ${measure.aggregate === "max" || measure.aggregate === "min" ? `the ${term}` : term}${of}: ${number}.`;
}

function groupWords(group: Group, plan: Plan): { one: string; many: string } {
  const one = escapeMarkdown(groupTerm(group, plan.language));
  if (group.kind === "bands") return { one, many: `bands of ${one}` };
  const [head = "", ...rest] = one.split(" of ");
  return { one, many: [plural(head), ...rest].join(" of ") };
}

function listing(plan: Plan, result: Result, name: string, count: number): string {
  const shown = Math.min(count, result.length);
  const isOrdered = plan.order !== "natural" && plan.groups[0]?.kind === "column";
  const lines = Array.from({ length: shown }, (_, row) => {
    const values = plan.measures.map((measure) => {
      const text = amount(result, row, measureName(measure, plan), measure);
      return plan.measures.length > 1 ? `${escapeMarkdown(measureTerm(measure, plan))} ${text}` : text;
    });
    const mark = isOrdered ? `${row + 1}.` : "-";
    return `${mark} ${labelOf(plan, result, row, name)}: ${values.join(", ")}${shareOf(plan, result, row)}`;
  });
  const rest = result.total - shown;
  if (rest > 0)
    lines.push(
      "",
      plan.language === "zh"
        ? `其余 ${formatNumber(rest)} 项见表。`
        : `${formatNumber(rest)} more in the table.`,
    );
  return lines.join("\n");
}

/** A bare number or yes/no says more with its column: "pclass 3". */
function labelOf(plan: Plan, result: Result, row: number, name: string): string {
  const [group] = plan.groups;
  const label = result.label(row, name);
  if (group?.kind !== "column" || (group.column.kind !== "number" && group.column.kind !== "boolean"))
    return label;
  const term = isFlag(group.column) ? flagTerm(group.column) : groupTerm(group, plan.language);
  return `${escapeMarkdown(term)} ${label}`;
}

function shareOf(plan: Plan, result: Result, row: number): string {
  if (!hasShare(plan)) return "";
  const share = formatPercent(result.cell(row, shareName(plan)));
  return plan.language === "zh" ? `（${share}）` : ` (${share})`;
}

export function amount(result: Result, row: number, value: string, measure: Measure): string {
  return formatMeasure(result.cell(row, value), measure);
}

/** Money and other fractions keep their decimals, also where they happen to be round. */
function formatMeasure(cell: unknown, { aggregate, column }: Measure): string {
  if (aggregate === "rate") return formatPercent(cell);
  const isMiddle = aggregate === "mean" || aggregate === "std";
  const isCount = column === undefined || aggregate === "count" || aggregate === "distinct";
  const isFraction = isMiddle || (!isCount && column.kind === "number" && !isWhole(column));
  return isFraction && typeof cell === "number" && Math.abs(cell) >= 1
    ? formatNumber(cell, 2)
    : formatNumber(cell);
}

/** The greatest cell of a matrix, and who leads overall. */
function wordCross(plan: Plan, result: Result): string {
  const [down, along] = [plan.groups[0]!, plan.groups[1]!];
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const [name, ...columns] = result.names;
  let best: { row: number; column: string; value: number } | undefined;
  for (const column of columns) {
    const row = result.extreme(column, plan.order === "ascending" ? "min" : "max");
    const value = row === undefined ? undefined : result.number(row, column);
    if (row === undefined || value === undefined) continue;
    if (best === undefined || (plan.order === "ascending" ? value < best.value : value > best.value))
      best = { row, column, value };
  }
  const term = escapeMarkdown(measureTerm(measure, plan));
  const [first, second] = [
    escapeMarkdown(groupTerm(down, plan.language)),
    escapeMarkdown(groupTerm(along, plan.language)),
  ];
  if (best === undefined)
    return plan.language === "zh"
      ? `表中是按${first}和${second}的${term}。`
      : `The table has the ${term} by ${first} and ${second}.`;
  const number = plan.isShare === true ? formatPercent(best.value) : formatMeasure(best.value, measure);
  const pair = `**${result.label(best.row, name ?? "")}** / **${escapeMarkdown(best.column)}**`;
  const size = `${formatNumber(result.total)} × ${formatNumber(columns.length)}`;
  if (plan.language === "zh")
    return `按${first}和${second}的${term}（${size}）：${plan.order === "ascending" ? "最低" : "最高"}的是 ${pair}，为 **${number}**。`;
  return `The ${term} by ${first} and ${second} (${size}) is ${plan.order === "ascending" ? "lowest" : "highest"} for ${pair}: **${number}**.`;
}

function wordPairs(plan: Plan, result: Result): string {
  const [first, second] = plan.groups.map((group) => groupName(group, plan));
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const value = measureName(measure, plan);
  const shown = Math.min(5, result.length);
  const lines = Array.from(
    { length: shown },
    (_, row) =>
      `${row + 1}. ${result.label(row, first ?? "")} / ${result.label(row, second ?? "")}: ${plan.measures.map((each) => amount(result, row, measureName(each, plan), each)).join(", ")}`,
  );
  const terms = plan.groups.map((group) => escapeMarkdown(groupTerm(group, plan.language)));
  const term = escapeMarkdown(measureTerm(measure, plan));
  const top = result.extreme(value, plan.order === "ascending" ? "min" : "max") ?? 0;
  const pair = `**${result.label(top, first ?? "")}** / **${result.label(top, second ?? "")}**`;
  const number = `**${amount(result, top, value, measure)}**`;
  const lead =
    plan.language === "zh"
      ? `按${terms.join("和")}的${term}共 ${formatNumber(result.total)} 组，最突出的是 ${pair}：${number}。`
      : `Of ${formatNumber(result.total)} pairs of ${terms.join(" and ")}, ${pair} has the ${plan.order === "ascending" ? "lowest" : "highest"} ${term}: ${number}.`;
  return `${lead}\n\n${lines.join("\n")}`;
}
