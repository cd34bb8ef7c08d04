import type { Plan } from "../plan.ts";
import { axisLabel, drawChart, groupLabel, isCharted, labelsOf, NO_BOX, tickFormat } from "./charts.ts";
import { chartText, needsFont } from "./chart-text.ts";
import { decimalsOf, PANDAS_NAMES } from "./measures.ts";
import { freeVariable, groupName } from "./names.ts";
import { call, literal, pick } from "./python.ts";
import { rowsCode } from "./rows.ts";
import { groupTerm } from "../wording/terms.ts";

const MAX_COLUMNS = 12;

/** Two groups of one measure read best as a matrix, if the second one has few values. */
export function isCross(plan: Plan): boolean {
  const second = plan.groups[1];
  if (plan.groups.length !== 2 || plan.measures.length > 1 || second === undefined) return false;
  const values =
    second.kind === "column"
      ? (second.column.distinct ?? 99)
      : second.kind === "bands"
        ? second.edges.length
        : second.kind === "cycle"
          ? 12
          : 99;
  return values <= MAX_COLUMNS;
}

export function crossCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const [down, along] = [plan.groups[0]!, plan.groups[1]!];
  const [downName, alongName] = [groupName(down, plan), groupName(along, plan)];
  const { aggregate, column } = plan.measures[0] ?? { aggregate: "count" as const };
  const isAdditive = aggregate === "sum" || aggregate === "count";
  const pivot =
    column === undefined
      ? call("pd.crosstab", [pick(rows.frame, downName), pick(rows.frame, alongName)])
      : call(`${rows.frame}.pivot_table`, [
          `index=${literal(downName)}`,
          `columns=${literal(alongName)}`,
          `values=${literal(column.name)}`,
          `aggfunc=${literal(PANDAS_NAMES[aggregate])}`,
          ...(isAdditive ? ["fill_value=0"] : []),
          "observed=True",
        ]);
  const isSorted = plan.order !== "natural" && down.kind === "column" && down.column.kind !== "number";
  const order = `${table}.${isAdditive ? "sum" : "mean"}(axis=1).sort_values(${plan.order === "ascending" ? "" : "ascending=False"}).index`;
  const isAlongSorted =
    along.kind === "column" && along.column.kind !== "number" && along.column.kind !== "boolean";
  const lines = [
    ...rows.lines,
    `${table} = ${aggregate === "rate" ? `100 * ${pivot}` : pivot}`,
    ...(plan.isShare === true ? [`${table} = 100 * ${table} / ${table}.to_numpy().sum()`] : []),
    ...(isSorted ? [`${table} = ${table}.loc[${order}]`] : []),
    ...(isAlongSorted ? [`${table} = ${table}[${table}.sum().sort_values(ascending=False).index]`] : []),
    ...(plan.limit === undefined ? [] : [`${table} = ${table}.head(${plan.limit})`]),
    `${table} = ${table}.round(${decimalsOf(plan)})`,
    `${table}.columns = ${table}.columns.astype(str)`,
  ];
  if (isCharted(plan)) lines.push("", ...chart(plan, table, rows.mayBeEmpty));
  return [...lines, "", `${table}.reset_index()`];
}

function chart(plan: Plan, table: string, mayBeEmpty: boolean): string[] {
  const [down, along] = [plan.groups[0]!, plan.groups[1]!];
  const isStacked =
    plan.chart === "stacked" || (plan.measures[0]?.aggregate !== "mean" && (down.column.distinct ?? 0) > 8);
  const shown = (down.column.distinct ?? 0) > 20 && plan.limit === undefined ? `${table}.head(20)` : table;
  const labels = labelsOf("shown", "", down, plan).replace('shown[""]', "shown.index");
  const legend = `title=${chartText(groupTerm(along, plan.language), "Column of the table", plan)}`;
  return drawChart(
    [
      `shown = ${shown}`,
      "fig, ax = plt.subplots(figsize=(9, 5))",
      `shown.plot.bar(ax=ax, stacked=${isStacked ? "True" : "False"}, width=0.8)`,
      ...(needsFont(plan)
        ? [
            `ax.set_xticks(range(len(shown)), ${labels.replace(/ if font/, ".astype(str) if font").replace(".astype(str).astype(str)", ".astype(str)")}, rotation=45, ha="right")`,
            'names = [str(name) if font else f"column {n}" for n, name in enumerate(shown.columns, 1)]',
            `ax.legend(names, ${legend}, bbox_to_anchor=(1.01, 1), loc="upper left")`,
          ]
        : [
            'ax.set_xticks(range(len(shown)), shown.index.astype(str), rotation=45, ha="right")',
            `ax.legend(${legend}, bbox_to_anchor=(1.01, 1), loc="upper left")`,
          ]),
      `ax.yaxis.set_major_formatter(${tickFormat(plan.measures[0], plan.isShare === true)})`,
      `ax.set_ylabel(${axisLabel(plan.measures[0], plan)})`,
      `ax.set_xlabel(${groupLabel(down, plan)})`,
      NO_BOX,
    ],
    { plan, mayBeEmpty },
    table,
  );
}
