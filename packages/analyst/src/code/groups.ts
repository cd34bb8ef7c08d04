import type { Group, Plan } from "../plan.ts";
import {
  axisLabel,
  drawChart,
  groupLabel,
  heightFor,
  isCharted,
  isLying,
  labelFormat,
  labelsOf,
  NO_BOX,
  SUBPLOTS,
  tickFormat,
} from "./charts.ts";
import { decimalsOf, namedAggregate } from "./measures.ts";
import { freeVariable, groupName, hasShare, measureName, shareName } from "./names.ts";
import { call, chain, list, literal, pick } from "./python.ts";
import { rowsCode } from "./rows.ts";
import { crossCode, isCross } from "./cross.ts";

const MAX_BARS = 20;

/** One or several measures for each value of a group. */
export function groupsCode(plan: Plan): string[] {
  if (isCross(plan)) return crossCode(plan);
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const [first] = plan.measures;
  const value = measureName(first ?? { aggregate: "count" }, plan);
  const lines = [...rows.lines, `${table} = ${grouped(plan, rows.frame, value)}`];
  if (hasShare(plan)) {
    const share = pick(table, shareName(plan));
    lines.push(`${share} = (100 * ${pick(table, value)} / ${pick(table, value)}.sum()).round(1)`);
  }
  const head = plan.limit === undefined ? "" : `.head(${plan.limit})`;
  lines.push(`${table} = ${table}${head}.round(${decimalsOf(plan)})`);
  if (isCharted(plan) && plan.groups.length === 1) lines.push("", ...chart(plan, table, rows.mayBeEmpty));
  return [...lines, "", table];
}

function grouped(plan: Plan, frame: string, value: string): string {
  const names = plan.groups.map((group) => groupName(group, plan));
  const hasGaps = plan.groups.some((group) => group.kind === "column" && group.column.missing > 0);
  const isDerived = plan.groups.some((group) => group.kind === "cycle" || group.kind === "bands");
  const by = [
    names.length === 1 ? literal(names[0] ?? "") : list(names),
    "as_index=False",
    ...(hasGaps ? ["dropna=False"] : []),
    ...(isDerived ? ["observed=True"] : []),
  ];
  const aggregates = plan.measures.map((measure) => namedAggregate(measure, plan));
  const sort =
    plan.order === "natural" || isDerived
      ? plan.wantsOne === true || plan.limit !== undefined
        ? [sortBy(plan, value)]
        : []
      : [sortBy(plan, value)];
  return chain(frame, [`.groupby(${by.join(", ")})`, call(".agg", aggregates), ...sort]);
}

function sortBy(plan: Plan, value: string): string {
  return call(".sort_values", [
    literal(value),
    ...(plan.order === "ascending" ? [] : ["ascending=False"]),
    "ignore_index=True",
  ]);
}

function chart(plan: Plan, table: string, mayBeEmpty: boolean): string[] {
  const group = plan.groups[0]!;
  const [measure] = plan.measures;
  const isShare = plan.isShare === true;
  const value = isShare ? shareName(plan) : measureName(measure ?? { aggregate: "count" }, plan);
  const sizes = {
    column: group.column.distinct ?? 30,
    bands: group.kind === "bands" ? group.edges.length : 0,
    time: 30,
    cycle: group.kind === "cycle" && group.cycle === "hour" ? 24 : 12,
  };
  const known = Math.min(plan.limit ?? Infinity, sizes[group.kind]);
  const frame = { plan, mayBeEmpty };
  if (plan.chart === "pie" && canBePie(plan)) return drawChart(pie(plan, table, group, value), frame, table);
  if (plan.chart === "line") return drawChart(line(plan, table, group, value), frame, table);
  const isMany = group.kind === "column" && known > MAX_BARS;
  const setUp: string[] = [];
  let shown = table;
  if (isMany) {
    shown = freeVariable("shown", plan);
    setUp.push(...fold(plan, table, shown, group, value));
  }
  const isBar = isLying(group, known) || isMany;
  const labels = labelsOf(shown, groupName(group, plan), group, plan);
  const values = pick(shown, value);
  const draw = isBar
    ? [
        heightFor(Math.min(known, MAX_BARS)),
        `bars = ax.barh(${labels}, ${values})`,
        `ax.bar_label(bars, fmt=${labelFormat(measure, isShare)}, padding=4)`,
        "ax.invert_yaxis()",
        "ax.margins(x=0.12)",
        `ax.xaxis.set_major_formatter(${tickFormat(measure, isShare)})`,
        `ax.set_xlabel(${axisLabel(measure, plan)})`,
      ]
    : [
        SUBPLOTS,
        `bars = ax.bar(${labels}, ${values})`,
        ...(known <= 12 ? [`ax.bar_label(bars, fmt=${labelFormat(measure, isShare)}, padding=3)`] : []),
        `ax.yaxis.set_major_formatter(${tickFormat(measure, isShare)})`,
        `ax.set_ylabel(${axisLabel(measure, plan)})`,
        `ax.set_xlabel(${groupLabel(group, plan)})`,
        ...((group.kind === "column" && known > 12) || group.kind === "time"
          ? ['ax.tick_params(axis="x", rotation=60)']
          : []),
      ];
  return [...setUp, ...drawChart([...draw, NO_BOX], frame, table)];
}

/** The largest as they are, the rest as one bar where a sum of them means something. */
function fold(plan: Plan, table: string, shown: string, group: Group, value: string): string[] {
  const [measure] = plan.measures;
  const isAdditive = measure?.aggregate === "sum" || measure?.aggregate === "count";
  if (!isAdditive || plan.order === "ascending") return [`${shown} = ${table}.head(${MAX_BARS})`];
  const name = groupName(group, plan);
  const other = call("pd.DataFrame", [
    `[{${literal(name)}: "Other", ${literal(value)}: ${pick(table, value)}.iloc[${MAX_BARS - 1}:].sum()}]`,
  ]);
  return [
    `${shown} = ${table}.head(${MAX_BARS})`,
    `if len(${table}) > ${MAX_BARS}:`,
    `    other = ${other}`,
    `    ${shown} = pd.concat([${table}.head(${MAX_BARS - 1}), other], ignore_index=True)`,
  ];
}

/** A pie shows parts of a whole, which averages are not. */
export function canBePie(plan: Plan): boolean {
  const [measure] = plan.measures;
  return plan.isShare === true || measure?.aggregate === "sum" || measure?.aggregate === "count";
}

function pie(plan: Plan, table: string, group: Group, value: string): string[] {
  const name = groupName(group, plan);
  const parts = freeVariable("parts", plan);
  const labels = labelsOf(parts, name, group, plan);
  return [
    `${parts} = ${table}[${pick(table, value)} > 0].nlargest(7, ${literal(value)})`,
    `rest = ${pick(table, value)}.sum() - ${pick(parts, value)}.sum()`,
    `if rest > 0.005 * ${pick(table, value)}.sum():`,
    `    rest = pd.DataFrame([{${literal(name)}: "Other", ${literal(value)}: rest}])`,
    `    ${parts} = pd.concat([${parts}, rest], ignore_index=True)`,
    "fig, ax = plt.subplots(figsize=(6.5, 5))",
    call("ax.pie", [
      pick(parts, value),
      `labels=${labels}`,
      'autopct="%1.1f%%"',
      "startangle=90",
      "counterclock=False",
    ]),
  ];
}

function line(plan: Plan, table: string, group: Group, value: string): string[] {
  const labels = labelsOf(table, groupName(group, plan), group, plan);
  return [
    SUBPLOTS,
    `ax.plot(${labels}, ${pick(table, value)}, marker="o")`,
    `ax.yaxis.set_major_formatter(${tickFormat(plan.measures[0], plan.isShare === true)})`,
    `ax.set_ylabel(${axisLabel(plan.measures[0], plan)})`,
    'ax.tick_params(axis="x", rotation=45)',
    NO_BOX,
  ];
}
