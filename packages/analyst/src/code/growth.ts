import type { Plan } from "../plan.ts";
import { drawChart, groupLabel, isCharted, labelsOf, NO_BOX, SUBPLOTS } from "./charts.ts";
import { chartText } from "./chart-text.ts";
import { decimalsOf, namedAggregate, PANDAS_NAMES } from "./measures.ts";
import { freeVariable, groupName, measureName } from "./names.ts";
import { call, chain, literal, pick } from "./python.ts";
import { periodLabel, rowsCode } from "./rows.ts";
import { BAR_DAYS, grouper, timeOf } from "./trend.ts";
import { chartWords } from "../wording/terms.ts";

/** How a measure changes from one period to the next, or from the first to the last for each value of a group. */
export function growthCode(plan: Plan): string[] {
  return plan.groups.length > 1 ? growthByGroup(plan) : growthOverTime(plan);
}

function growthOverTime(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const time = timeOf(plan);
  const name = groupName(time, plan);
  const value = measureName(plan.measures[0] ?? { aggregate: "count" }, plan);
  const lines = [
    ...rows.lines,
    `${table} = ${chain(rows.frame, [
      `.groupby(${grouper(time)})`,
      call(
        ".agg",
        plan.measures.slice(0, 1).map((measure) => namedAggregate(measure, plan)),
      ),
      `.reset_index(names=${literal(name)})`,
    ])}`,
    `${pick(table, "change")} = ${pick(table, value)}.diff()`,
    `${pick(table, "change_percent")} = 100 * ${pick(table, value)}.pct_change()`,
    `${table} = ${table}.round({${[value, "change", "change_percent"].map((each) => `${literal(each)}: ${decimalsOf(plan)}`).join(", ")}})`,
  ];
  if (isCharted(plan)) {
    const width = BAR_DAYS[time.grain];
    const draw = [
      SUBPLOTS,
      `ax.bar(${pick(table, name)}, ${pick(table, "change_percent")}, width=${width})`,
      'ax.axhline(0, color="black", linewidth=0.8)',
      'ax.yaxis.set_major_formatter("{x:+.0f}%")',
      `ax.set_ylabel(${chartText(plan.language === "zh" ? "较上期变化" : `Change from the previous ${time.grain}`, `Change from the previous ${time.grain}`, plan)})`,
      "fig.autofmt_xdate()",
      NO_BOX,
    ];
    lines.push("", ...drawChart(draw, { plan, title: title(plan), mayBeEmpty: rows.mayBeEmpty }, table));
  }
  return [...lines, "", `${pick(table, name)} = ${periodLabel(pick(table, name), time.grain)}`, table];
}

function title(plan: Plan): string {
  const { subject, filters } = chartWords(plan);
  const head = plan.language === "zh" ? `${subject}的变化` : `Change of ${subject.toLowerCase()}`;
  return filters === "" ? head : `${head} (${filters})`;
}

function growthByGroup(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const time = timeOf(plan);
  const group = plan.groups.find((each) => each.kind !== "time")!;
  const [groupKey, measure] = [groupName(group, plan), plan.measures[0] ?? { aggregate: "count" as const }];
  const period = groupName(time, plan);
  const frame = freeVariable("rows", plan);
  const isAdditive = measure.aggregate === "sum" || measure.aggregate === "count";
  const values =
    measure.column === undefined
      ? plan.source.columns.find((column) => column !== group.column)!
      : measure.column;
  const isUp = plan.order !== "ascending";
  const lines = [
    ...rows.lines,
    `${frame} = ${call(`${rows.frame}.assign`, [`${period}=${periodLabel(pick(rows.frame, time.column), time.grain)}`])}`,
    `${table} = ${call(`${frame}.pivot_table`, [`index=${literal(groupKey)}`, `columns=${literal(period)}`, `values=${literal(values.name)}`, `aggfunc=${literal(measure.column === undefined ? "size" : PANDAS_NAMES[measure.aggregate])}`, ...(isAdditive ? ["fill_value=0"] : [])])}`,
    `${table} = ${table}.iloc[:, [0, -1]]`,
    `first, last = ${table}.columns`,
    `${table} = ${chain(table, [
      call(".assign", [
        `change=${table}[last] - ${table}[first]`,
        `change_percent=100 * (${table}[last] / ${table}[first] - 1)`,
      ]),
      `.sort_values("change"${isUp ? ", ascending=False" : ""})`,
      `.round(${decimalsOf(plan)})`,
      ".reset_index()",
    ])}`,
    `${table}.columns.name = None`,
    ...(plan.limit === undefined ? [] : [`${table} = ${table}.head(${plan.limit})`]),
  ];
  if (isCharted(plan)) {
    const shown = "shown";
    const draw = [
      `${shown} = ${table}.head(20)`,
      "fig, ax = plt.subplots(figsize=(8, 5))",
      `bars = ax.barh(${labelsOf(shown, groupKey, group, plan)}, ${pick(shown, "change")})`,
      'ax.bar_label(bars, fmt="{:+,.0f}", padding=4)',
      "ax.invert_yaxis()",
      "ax.margins(x=0.15)",
      'ax.axvline(0, color="black", linewidth=0.8)',
      'ax.xaxis.set_major_formatter("{x:,.0f}")',
      'ax.set_xlabel(f"Change from {first} to {last}")',
      `ax.set_ylabel(${groupLabel(group, plan)})`,
      NO_BOX,
    ];
    lines.push("", ...drawChart(draw, { plan, title: title(plan), mayBeEmpty: rows.mayBeEmpty }, table));
  }
  return [...lines, "", table];
}
