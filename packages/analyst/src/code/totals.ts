import type { Plan } from "../plan.ts";
import {
  axisLabel,
  drawChart,
  isCharted,
  labelFormat,
  labelsOf,
  NO_BOX,
  SUBPLOTS,
  tickFormat,
} from "./charts.ts";
import { decimalsOf, namedAggregate, scalar } from "./measures.ts";
import { freeVariable, groupName, measureName } from "./names.ts";
import { call, chain, list, literal, pick } from "./python.ts";
import { conditionsOf, rowsCode } from "./rows.ts";

/** A measure over all rows in question: one row of numbers. */
export function totalCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const hasCount = plan.measures.some((measure) => measure.aggregate === "count");
  const entries = [
    ...plan.measures.map(
      (measure) => `${literal(measureName(measure, plan))}: ${scalar(measure, rows.frame)}`,
    ),
    ...(hasCount ? [] : [`"rows": len(${rows.frame})`]),
  ];
  return [
    ...rows.lines,
    `${table} = pd.DataFrame([${dictionary(entries)}]).round(${decimalsOf(plan)})`,
    table,
  ];
}

/** How much of the whole the first filter leaves. */
export function shareOfCode(plan: Plan): string[] {
  const [part, ...others] = plan.filters;
  const rows = rowsCode(plan, others);
  const [partName, table] = [freeVariable("part", plan), freeVariable("table", plan)];
  const conditions = part === undefined ? [] : conditionsOf(part, rows.frame);
  const mask =
    conditions.length === 1
      ? (conditions[0] ?? "")
      : conditions.map((condition) => `(${condition})`).join(" & ");
  const measure = plan.measures[0] ?? { aggregate: "count" as const };
  const [some, all] = [scalar(measure, partName), scalar(measure, rows.frame)];
  return [
    ...rows.lines,
    `${partName} = ${rows.frame}[${mask}]`,
    `${table} = pd.DataFrame([${dictionary([`"part": ${some}`, `"whole": ${all}`, `"share_percent": 100 * ${some} / ${all}`])}]).round(${decimalsOf(plan)})`,
    table,
  ];
}

/** Two or more values, or spans of time, side by side with the difference to the first. */
export function compareCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const value = measureName(plan.measures[0] ?? { aggregate: "count" }, plan);
  const label = compareName(plan);
  const lines = [
    ...rows.lines,
    ...(plan.periods === undefined ? byValue(plan, rows.frame, table) : byPeriod(plan, rows.frame, table)),
  ];
  const first = `${pick(table, value)}.iloc[0]`;
  lines.push(
    `${pick(table, "difference")} = ${pick(table, value)} - ${first}`,
    `${pick(table, "difference_percent")} = 100 * ${pick(table, "difference")} / ${first}`,
    `${table} = ${table}.round(${decimalsOf(plan)})`,
  );
  if (isCharted(plan)) {
    const labels =
      plan.groups[0] === undefined ? pick(table, label) : labelsOf(table, label, plan.groups[0], plan);
    const draw = [
      SUBPLOTS,
      `bars = ax.bar(${labels}, ${pick(table, value)}, width=0.6)`,
      `ax.bar_label(bars, fmt=${labelFormat(plan.measures[0])}, padding=3)`,
      `ax.yaxis.set_major_formatter(${tickFormat(plan.measures[0])})`,
      `ax.set_ylabel(${axisLabel(plan.measures[0], plan)})`,
      NO_BOX,
    ];
    lines.push(
      "",
      ...drawChart(
        draw,
        {
          plan: {
            ...plan,
            filters: plan.filters.filter((filter) => filter.column !== plan.groups[0]?.column),
          },
          mayBeEmpty: true,
        },
        table,
      ),
    );
  }
  return [...lines, "", table];
}

export function compareName(plan: Plan): string {
  return plan.groups[0] === undefined ? "period" : groupName(plan.groups[0], plan);
}

function byValue(plan: Plan, frame: string, table: string): string[] {
  const name = compareName(plan);
  const aggregates = [...plan.measures, ...extraMeasures(plan)].map((measure) =>
    namedAggregate(measure, plan),
  );
  const filter = plan.filters.find(
    (each) => each.kind === "equals" && each.column === plan.groups[0]?.column,
  );
  const order =
    filter?.kind === "equals"
      ? [
          `.reindex(${list(filter.values)})`,
          '.dropna(how="all")',
          `.rename_axis(${literal(name)})`,
          ".reset_index()",
        ]
      : [".reset_index()"];
  return [`${table} = ${chain(frame, [`.groupby(${literal(name)})`, call(".agg", aggregates), ...order])}`];
}

/** Beside a sum one wants to know of how many rows. */
function extraMeasures(plan: Plan): Plan["measures"] {
  return plan.measures.some((measure) => measure.aggregate === "count") ? [] : [{ aggregate: "count" }];
}

function byPeriod(plan: Plan, frame: string, table: string): string[] {
  const date = plan.source.columns.find((column) => column.kind === "date");
  const periods = freeVariable("periods", plan);
  const entries = (plan.periods ?? []).map((period) => {
    const conditions =
      date === undefined
        ? ["True"]
        : conditionsOf({ kind: "period", column: date, period, isNegated: false }, frame);
    return `    ${literal(plan.language === "zh" ? period.labelZh : period.label)}: ${frame}[${conditions.map((condition) => `(${condition})`).join(" & ")}],`;
  });
  const cells = [...plan.measures, ...extraMeasures(plan)].map(
    (measure) => `${literal(measureName(measure, plan))}: ${scalar(measure, "part")}`,
  );
  return [
    `${periods} = {\n${entries.join("\n")}\n}`,
    `${table} = pd.DataFrame(\n    [${dictionary(['"period": name', ...cells])} for name, part in ${periods}.items()]\n)`,
  ];
}

function dictionary(entries: readonly string[]): string {
  return `{${entries.join(", ")}}`;
}
