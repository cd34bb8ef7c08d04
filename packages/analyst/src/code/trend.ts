import type { Group, Plan } from "../plan.ts";
import { axisLabel, drawChart, isCharted, NO_BOX, SUBPLOTS, tickFormat } from "./charts.ts";
import { chartText, needsFont } from "./chart-text.ts";
import { decimalsOf, namedAggregate, PANDAS_NAMES } from "./measures.ts";
import { freeVariable, groupName, measureName } from "./names.ts";
import { call, chain, literal, pick } from "./python.ts";
import { periodLabel, rowsCode } from "./rows.ts";
import { capital, groupTerm } from "../wording/terms.ts";

const FREQUENCIES = { day: "D", week: "W-MON", month: "MS", quarter: "QS", year: "YS" } as const;
const MAX_LINES = 7;
/** How wide a bar is, in days. */
export const BAR_DAYS = { day: 0.8, week: 6, month: 25, quarter: 75, year: 300 } as const;

type TimeGroup = Extract<Group, { kind: "time" }>;

export function timeOf(plan: Plan): TimeGroup {
  return plan.groups.find((group): group is TimeGroup => group.kind === "time")!;
}

/** A measure period by period, in one line or in one for each value of a group. */
export function trendCode(plan: Plan): string[] {
  return plan.groups.length > 1 ? splitTrend(plan) : plainTrend(plan);
}

/** `pd.Grouper(…)` of a time group. Weeks begin on Monday and are named by it. */
export function grouper(group: TimeGroup): string {
  const week = group.grain === "week" ? ', label="left", closed="left"' : "";
  return `pd.Grouper(key=${literal(group.column.name)}, freq=${literal(FREQUENCIES[group.grain])}${week})`;
}

function plainTrend(plan: Plan): string[] {
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
        plan.measures.map((measure) => namedAggregate(measure, plan)),
      ),
      `.round(${decimalsOf(plan)})`,
      `.reset_index(names=${literal(name)})`,
    ])}`,
  ];
  const shown = plan.isCumulative === true ? cumulativeName(value) : value;
  if (plan.isCumulative === true) lines.push(`${pick(table, shown)} = ${pick(table, value)}.cumsum()`);
  if (isCharted(plan)) {
    const isBar = plan.chart === "bar" || plan.chart === "stacked";
    const width = BAR_DAYS[time.grain];
    const cells = `${pick(table, name)}, ${pick(table, shown)}`;
    const draw = isBar
      ? `ax.bar(${cells}, width=${width}${time.grain === "day" ? "" : ', align="edge"'})`
      : plan.chart === "area"
        ? `ax.fill_between(${cells}, alpha=0.5)`
        : `ax.plot(${cells}${time.grain === "day" ? "" : ', marker="o", markersize=4'})`;
    lines.push(
      "",
      ...drawChart([SUBPLOTS, draw, ...timeAxis(plan, time)], { plan, mayBeEmpty: rows.mayBeEmpty }, table),
    );
  }
  return [...lines, "", `${pick(table, name)} = ${periodLabel(pick(table, name), time.grain)}`, table];
}

export function cumulativeName(value: string): string {
  return /^\w+$/.test(value) ? `cumulative_${value}` : `cumulative ${value}`;
}

/** Ticks from zero on, but where every value is far from it a difference must stay visible. */
function timeAxis(plan: Plan, time: TimeGroup): string[] {
  const [measure] = plan.measures;
  const isFromZero =
    measure?.aggregate === "sum" || measure?.aggregate === "count" || measure?.aggregate === "rate";
  const canBeNegative = Number(measure?.column?.min) < 0 && (measure?.column?.mean ?? 0) <= 0;
  return [
    ...(isFromZero && !canBeNegative ? ["ax.set_ylim(bottom=0)"] : []),
    `ax.yaxis.set_major_formatter(${tickFormat(measure)})`,
    `ax.set_ylabel(${axisLabel(measure, plan)})`,
    `ax.set_xlabel(${chartText(capital(groupTerm(time, plan.language)), capital(time.grain), plan)})`,
    "fig.autofmt_xdate()",
    NO_BOX,
  ];
}

function splitTrend(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const time = timeOf(plan);
  const split = plan.groups.find((group) => group.kind !== "time")!;
  const splitName = groupName(split, plan);
  const [measure] = plan.measures;
  const name = groupName(time, plan);
  const isMany = (split.column.distinct ?? 99) > MAX_LINES + 1;
  const isAdditive = measure?.aggregate === "sum" || measure?.aggregate === "count";
  const lines = [...rows.lines];
  let { frame } = rows;
  if (isMany) {
    const total =
      measure?.column !== undefined && isAdditive
        ? `${frame}.groupby(${literal(splitName)})[${literal(measure.column.name)}].sum().nlargest(${MAX_LINES}).index`
        : `${pick(frame, splitName)}.value_counts().head(${MAX_LINES}).index`;
    const kept = freeVariable("rows", plan);
    lines.push(`largest = ${total}`);
    lines.push(
      isAdditive
        ? `${kept} = ${call(`${frame}.assign`, [`**{${literal(splitName)}: ${pick(frame, splitName)}.where(${pick(frame, splitName)}.isin(largest), "Other")}`])}`
        : `${kept} = ${frame}[${pick(frame, splitName)}.isin(largest)]`,
    );
    frame = kept;
  }
  const values = measure?.column;
  lines.push(
    `${table} = ${call(`${frame}.pivot_table`, [
      `index=${grouper(time)}`,
      `columns=${literal(splitName)}`,
      ...(values === undefined
        ? [
            `values=${literal(plan.source.columns.find((column) => column !== split.column && column !== time.column)?.name ?? time.column.name)}`,
          ]
        : [`values=${literal(values.name)}`]),
      `aggfunc=${literal(PANDAS_NAMES[measure?.aggregate ?? "count"])}`,
      ...(isAdditive ? ["fill_value=0"] : []),
      "observed=True",
    ])}`,
  );
  if (measure?.aggregate === "rate") lines.push(`${table} = 100 * ${table}`);
  if (isMany && isAdditive)
    lines.push(
      `${table} = ${table}[[*largest.intersection(${table}.columns, sort=False), *${table}.columns.difference(largest)]]`,
    );
  lines.push(
    `${table} = ${table}.round(${decimalsOf(plan)})`,
    `${table}.columns = ${table}.columns.astype(str)`,
  );
  if (isCharted(plan)) lines.push("", ...splitChart(plan, time, split, table, rows.mayBeEmpty));
  const label = periodLabel(pick(table, name), time.grain);
  return [
    ...lines,
    "",
    `${table} = ${table}.reset_index(names=${literal(name)})`,
    `${pick(table, name)} = ${label}`,
    table,
  ];
}

function splitChart(plan: Plan, time: TimeGroup, split: Group, table: string, mayBeEmpty: boolean): string[] {
  const label = needsFont(plan) ? 'column if font else f"column {number}"' : "column";
  const isBar = plan.chart === "bar" || plan.chart === "stacked";
  const width = BAR_DAYS[time.grain];
  const names = needsFont(plan)
    ? `[name if font else f"column {n}" for n, name in enumerate(${table}.columns, 1)]`
    : `${table}.columns`;
  const draw = isBar
    ? [
        `bottom = ${table}.iloc[:, 0] * 0`,
        `for name, column in zip(${names}, ${table}.columns):`,
        `    ax.bar(${table}.index, ${table}[column].fillna(0), bottom=bottom, width=${width}, label=name)`,
        `    bottom = bottom + ${table}[column].fillna(0)`,
      ]
    : plan.chart === "area"
      ? [`ax.stackplot(${table}.index, ${table}.fillna(0).T, labels=${names})`]
      : [
          needsFont(plan)
            ? `for number, column in enumerate(${table}.columns, 1):`
            : `for column in ${table}.columns:`,
          `    ax.plot(${table}.index, ${table}[column], marker="o", markersize=3, label=${label})`,
        ];
  const legend = `ax.legend(title=${chartText(groupTerm(split, plan.language), "Columns of the table", plan)}, bbox_to_anchor=(1.01, 1), loc="upper left")`;
  return drawChart(
    ["fig, ax = plt.subplots(figsize=(9, 4.8))", ...draw, ...timeAxis(plan, time), legend],
    { plan, mayBeEmpty },
    table,
  );
}
