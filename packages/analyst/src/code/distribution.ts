import type { ColumnProfile } from "@atoll/protocol";
import { type Plan, subjectOf } from "../plan.ts";
import { capital, columnTerm, filtersTerm, groupTerm } from "../wording/terms.ts";
import { drawChart, isCharted, NO_BOX, SUBPLOTS } from "./charts.ts";
import { chartText } from "./chart-text.ts";
import { freeVariable, groupName } from "./names.ts";
import { chain, literal, pick } from "./python.ts";
import { rowsCode } from "./rows.ts";

/** How the values of a number spread: quartiles and a histogram, or a box for each value of a group. */
export function distributionCode(plan: Plan): string[] {
  const column = subjectOf(plan);
  const [group] = plan.groups;
  const rows = rowsCode(plan);
  const [values, table] = [freeVariable("values", plan), freeVariable("table", plan)];
  if (group !== undefined) return byGroup(plan, table);
  const lines = [
    ...rows.lines,
    `${values} = ${pick(rows.frame, column)}.dropna()`,
    `${table} = ${values}.describe().round(2).rename_axis("statistic").reset_index(name=${literal(column.name === "statistic" ? "value" : column.name)})`,
  ];
  if (isCharted(plan)) {
    const isBox = plan.chart === "box";
    // A few huge values would press all others into one bar.
    const isLongTailed = !isBox && hasLongTails(column);
    const data = isLongTailed
      ? `${values}[${values}.between(${values}.quantile(0.01), ${values}.quantile(0.99))]`
      : values;
    const draw = isBox
      ? [SUBPLOTS, `ax.boxplot(${values}, orientation="horizontal", widths=0.5)`, "ax.set_yticks([])"]
      : [
          SUBPLOTS,
          `ax.hist(${data}, bins=${binsFor(column.distinct)}, edgecolor="white")`,
          `ax.axvline(${values}.median(), color="black", linestyle="--", label=${plan.language === "zh" ? chartText("中位数", "Median", plan) : '"Median"'})`,
          "ax.legend()",
          'ax.set_ylabel("Rows")',
          'ax.yaxis.set_major_formatter("{x:,.0f}")',
        ];
    lines.push(
      "",
      ...drawChart(
        [...draw, ...numberAxis(plan), NO_BOX],
        { plan, title: title(plan, isLongTailed), mayBeEmpty: rows.mayBeEmpty },
        values,
      ),
    );
  }
  return [...lines, "", table];
}

function hasLongTails({ min, max, mean }: ColumnProfile): boolean {
  if (typeof min !== "number" || typeof max !== "number" || mean === undefined) return false;
  return Math.max(Math.abs(max), Math.abs(min)) > 12 * Math.abs(mean);
}

function binsFor(distinct: number | undefined): number {
  return distinct === undefined ? 30 : Math.max(5, Math.min(30, distinct));
}

function numberAxis(plan: Plan): string[] {
  const column = subjectOf(plan);
  const isSmall = Math.max(Math.abs(Number(column.min)), Math.abs(Number(column.max))) < 10;
  return [
    `ax.xaxis.set_major_formatter("{x:,.${isSmall ? 2 : 0}f}")`,
    `ax.set_xlabel(${chartText(capital(columnTerm(column)), "Value", plan)})`,
  ];
}

function title(plan: Plan, isLongTailed: boolean): string {
  const term = columnTerm(subjectOf(plan));
  const notes = [
    filtersTerm(plan.filters, plan.language),
    isLongTailed
      ? plan.language === "zh"
        ? "不含两端各 1%"
        : "without the outermost 1% on either side"
      : "",
  ].filter((note) => note !== "");
  const [group] = plan.groups;
  const split = group === undefined ? "" : groupTerm(group, plan.language);
  const head =
    plan.language === "zh"
      ? `${split === "" ? "" : `各${split}`}${term}的分布`
      : `Distribution of ${term}${split === "" ? "" : ` by ${split}`}`;
  return notes.length === 0 ? head : `${head} (${notes.join(", ")})`;
}

function byGroup(plan: Plan, table: string): string[] {
  const column = subjectOf(plan);
  const group = plan.groups[0]!;
  const rows = rowsCode({ ...plan, kind: "groups" });
  const name = groupName(group, plan);
  const lines = [
    ...rows.lines,
    `${table} = ${chain(`${rows.frame}.groupby(${literal(name)}, observed=True)[${literal(column.name)}]`, [".describe()", '.sort_values("50%", ascending=False)', ".round(2)", ".reset_index()"])}`,
  ];
  if (isCharted(plan)) {
    const label = chartText(capital(columnTerm(column)), "Value", plan);
    const draw = [
      `shown = ${pick(table, name)}.head(20)`,
      `boxes = [${rows.frame}.loc[${pick(rows.frame, name)} == value, ${literal(column.name)}].dropna() for value in shown]`,
      "fig, ax = plt.subplots(figsize=(8, 5))",
      `ax.boxplot(boxes, tick_labels=${chartLabels(plan)}, orientation="horizontal", showfliers=False)`,
      "ax.invert_yaxis()",
      ...numberAxis(plan).slice(0, 1),
      `ax.set_xlabel(${label})`,
      NO_BOX,
    ];
    lines.push(
      "",
      ...drawChart(draw, { plan, title: title(plan, false), mayBeEmpty: rows.mayBeEmpty }, table),
    );
  }
  return [...lines, "", table];
}

function chartLabels(plan: Plan): string {
  const isPlain = chartText(JSON.stringify(plan.groups[0]?.column.values ?? []).slice(0, 80), "", plan);
  return isPlain.includes(" if font else ")
    ? 'shown.astype(str) if font else [f"#{n}" for n in range(1, len(shown) + 1)]'
    : "shown.astype(str)";
}
