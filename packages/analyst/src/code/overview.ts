import { type Plan, subjectOf } from "../plan.ts";
import { isId } from "../schema/roles.ts";
import { drawChart, heightFor, isCharted, labelsOf, NO_BOX } from "./charts.ts";
import { chartText } from "./chart-text.ts";
import { freeVariable } from "./names.ts";
import { call, list, literal, pick } from "./python.ts";
import { rowsCode } from "./rows.ts";
import { columnTerm, filtersTerm } from "../wording/terms.ts";

/** Size, span and gaps of the table, then the figures of its number columns. */
export function describeCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const { source } = plan;
  const date = source.columns.find((column) => column.kind === "date");
  const numbers = source.columns.filter((column) => column.kind === "number" && !isId(column, source.rows));
  const cells = source.columns.some((column) => column.kind === "other")
    ? `${rows.frame}.astype(str)`
    : rows.frame;
  const entries = [
    `"rows": len(${rows.frame})`,
    `"columns": ${rows.frame}.shape[1]`,
    `"missing_cells": int(${rows.frame}.isna().sum().sum())`,
    `"repeated_rows": int(${cells}.duplicated().sum())`,
    ...(date === undefined
      ? []
      : [`"from": ${pick(rows.frame, date)}.min()`, `"to": ${pick(rows.frame, date)}.max()`]),
  ];
  const overview = `pd.DataFrame([{\n${entries.map((entry) => `    ${entry},`).join("\n")}\n}])`;
  if (numbers.length === 0) return [...rows.lines, `display(${overview})`, ...columnsTable(plan, rows.frame)];
  return [
    ...rows.lines,
    `display(${overview})`,
    "",
    `${rows.frame}[${list(numbers.map((column) => column.name))}].describe().T.round(2).rename_axis("column").reset_index()`,
  ];
}

/** One row for each column: type, gaps, how many values, an example. */
export function columnsCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  return [...rows.lines, ...columnsTable(plan, rows.frame)];
}

function columnsTable(plan: Plan, frame: string): string[] {
  const distinct = plan.source.columns.some((column) => column.kind === "other")
    ? `${frame}.astype(str).nunique()`
    : `${frame}.nunique()`;
  return [
    call(
      "pd.DataFrame",
      [
        `{"type": ${frame}.dtypes.astype(str), "missing": ${frame}.isna().sum(), "different_values": ${distinct}, "example": ${frame}.head(1).astype(str).T.squeeze(axis=1)}`,
      ],
      '.rename_axis("column").reset_index()',
    ),
  ];
}

/** Rows as they are, filtered and in the order asked for. */
export function rowsListCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const [sortBy] = plan.columns ?? [];
  const sorted =
    sortBy === undefined
      ? ""
      : `.sort_values(${literal(sortBy.name)}${plan.order === "ascending" ? "" : ", ascending=False"})`;
  const isLast = sortBy === undefined && plan.order === "ascending";
  const isPlain = plan.filters.length === 0 && sortBy === undefined;
  const count = plan.limit ?? (isPlain ? 10 : undefined);
  const cut = count === undefined ? "" : isLast ? `.tail(${count})` : `.head(${count})`;
  return [...rows.lines, `${rows.frame}${sorted}${cut}`];
}

const MAX_BARS = 20;

/** The different values of a column and how often each is there. */
export function valuesCode(plan: Plan): string[] {
  const column = subjectOf(plan);
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const name = column.name === "count" ? "rows" : "count";
  const cells =
    column.kind === "other" ? `${pick(rows.frame, column)}.astype(str)` : pick(rows.frame, column);
  const lines = [
    ...rows.lines,
    `${table} = ${cells}.value_counts(${column.missing > 0 ? "dropna=False" : ""}).rename_axis(${literal(column.name)}).reset_index(name=${literal(name)})`,
  ];
  const isUnique =
    column.distinct !== undefined && column.distinct > 0.9 * plan.source.rows && column.distinct > MAX_BARS;
  if (isCharted(plan) && !isUnique) {
    const shown = (column.distinct ?? 0) > MAX_BARS ? "shown" : table;
    const count = Math.min(column.distinct ?? MAX_BARS, MAX_BARS);
    const notes = [
      filtersTerm(plan.filters, plan.language),
      shown === table ? "" : plan.language === "zh" ? `前 ${MAX_BARS}` : `${MAX_BARS} most frequent`,
    ].filter((note) => note !== "");
    const head = plan.language === "zh" ? `各${columnTerm(column)}的记录数` : `Rows by ${columnTerm(column)}`;
    const draw = [
      ...(shown === table ? [] : [`shown = ${table}.head(${MAX_BARS})`]),
      heightFor(count),
      `bars = ax.barh(${labelsOf(shown, column.name, { kind: "column", column }, { ...plan, groups: [{ kind: "column", column }] })}, ${pick(shown, name)})`,
      'ax.bar_label(bars, fmt="{:,.0f}", padding=4)',
      "ax.invert_yaxis()",
      "ax.margins(x=0.12)",
      'ax.xaxis.set_major_formatter("{x:,.0f}")',
      `ax.set_xlabel(${plan.language === "zh" ? chartText("记录数", "Rows", plan) : '"Rows"'})`,
      NO_BOX,
    ];
    lines.push(
      "",
      ...drawChart(
        draw,
        {
          plan: { ...plan, groups: [{ kind: "column", column }] },
          title: notes.length === 0 ? head : `${head} (${notes.join(", ")})`,
          mayBeEmpty: rows.mayBeEmpty,
        },
        table,
      ),
    );
  }
  return [...lines, "", table];
}
