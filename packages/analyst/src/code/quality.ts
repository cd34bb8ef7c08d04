import type { Plan } from "../plan.ts";
import { isFlag, isMeasure } from "../schema/roles.ts";
import { capital, columnTerm } from "../wording/terms.ts";
import { drawChart, isCharted, NO_BOX } from "./charts.ts";
import { chartText } from "./chart-text.ts";
import { freeVariable } from "./names.ts";
import { list, literal, pick } from "./python.ts";
import { rowsCode } from "./rows.ts";

/** Missing values column by column. */
export function missingCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const table = freeVariable("table", plan);
  const named = plan.columns ?? [];
  const frame =
    named.length === 0 ? rows.frame : `${rows.frame}[${list(named.map((column) => column.name))}]`;
  const lines = [
    ...rows.lines,
    `${table} = ${frame}.isna().sum().rename_axis("column").reset_index(name="missing")`,
    `${pick(table, "missing_percent")} = (100 * ${pick(table, "missing")} / len(${rows.frame})).round(1)`,
    `${table} = ${table}.sort_values("missing", ascending=False, ignore_index=True)`,
  ];
  const gaps = plan.source.columns.filter((column) => column.missing > 0);
  if (isCharted(plan) && named.length === 0 && gaps.length > 1) {
    const shown = freeVariable("shown", plan);
    const withColumns = { ...plan, columns: gaps };
    const labels = chartText("列", "", withColumns).includes(" if font else ")
      ? `${pick(shown, "column")} if font else [f"#{n}" for n in range(1, len(${shown}) + 1)]`
      : pick(shown, "column");
    const draw = [
      `fig, ax = plt.subplots(figsize=(8, ${Math.max(3, Math.min(8, 1.4 + 0.36 * gaps.length)).toFixed(1)}))`,
      `bars = ax.barh(${labels}, ${pick(shown, "missing_percent")})`,
      'ax.bar_label(bars, fmt="{:.1f}%", padding=4)',
      "ax.invert_yaxis()",
      "ax.margins(x=0.12)",
      `ax.set_xlabel(${plan.language === "zh" ? chartText("缺失（%）", "Missing (%)", withColumns) : '"Missing (% of rows)"'})`,
      NO_BOX,
    ];
    const title = plan.language === "zh" ? "各列缺失值" : "Missing values by column";
    lines.push(
      "",
      `${shown} = ${table}[${pick(table, "missing")} > 0].head(25)`,
      ...drawChart(draw, { plan: withColumns, title, mayBeEmpty: true }, shown),
    );
  }
  return [...lines, "", table];
}

/** Rows that are there more than once. */
export function duplicatesCode(plan: Plan): string[] {
  const rows = rowsCode(plan);
  const [repeated, table] = [freeVariable("repeated", plan), freeVariable("table", plan)];
  const named = (plan.columns ?? []).map((column) => column.name);
  // Lists and dictionaries cannot be compared as they are.
  const cells = plan.source.columns.some((column) => column.kind === "other")
    ? `${rows.frame}.astype(str)`
    : rows.frame;
  const subset = named.length === 0 ? "" : `subset=${list(named)}, `;
  return [
    ...rows.lines,
    `${repeated} = ${cells}.duplicated(${subset}keep=False)`,
    `display(pd.DataFrame([{"rows": len(${rows.frame}), "repeats": int(${cells}.duplicated(${subset.replace(/, $/, "")}).sum())}]))`,
    "",
    `${table} = ${rows.frame}[${repeated}]`,
    named.length === 0
      ? `${table}.loc[${table}.astype(str).sort_values(list(${table}.columns)).index]`
      : `${table}.sort_values(${list(named)})`,
  ];
}

/** Values more than 1.5 interquartile ranges outside the middle half. */
export function outliersCode(plan: Plan): string[] {
  const named = plan.columns ?? [];
  const measures = plan.source.columns.filter(
    (column) => isMeasure(column, plan.source.rows) && !isFlag(column),
  );
  const columns = named.length > 0 ? named : measures;
  const rows = rowsCode(plan);
  const limits = freeVariable("limits", plan);
  const lines = [
    ...rows.lines,
    `numbers = ${rows.frame}[${list(columns.map((column) => column.name))}]`,
    "low, high = numbers.quantile(0.25), numbers.quantile(0.75)",
    `${limits} = pd.DataFrame({"lower_limit": low - 1.5 * (high - low), "upper_limit": high + 1.5 * (high - low)})`,
    `outside = (numbers < ${limits}["lower_limit"]) | (numbers > ${limits}["upper_limit"])`,
    `${limits}["outliers"] = outside.sum()`,
    `${limits}["outliers_percent"] = 100 * outside.sum() / numbers.notna().sum()`,
    `${limits} = ${limits}.round(2).rename_axis("column").reset_index()`,
  ];
  if (columns.length !== 1)
    return [...lines, `${limits}.sort_values("outliers", ascending=False, ignore_index=True)`];
  const column = columns[0]!;
  if (isCharted(plan)) {
    const title =
      plan.language === "zh" ? `${columnTerm(column)}的离群值` : `Outliers of ${columnTerm(column)}`;
    const draw = [
      "fig, ax = plt.subplots(figsize=(8, 2.8))",
      `ax.boxplot(numbers[${literal(column.name)}].dropna(), orientation="horizontal", widths=0.5, flierprops={"markersize": 4, "alpha": 0.4})`,
      "ax.set_yticks([])",
      'ax.xaxis.set_major_formatter("{x:,.0f}")',
      `ax.set_xlabel(${chartText(capital(columnTerm(column)), "Value", plan)})`,
      NO_BOX,
    ];
    lines.push("", ...drawChart(draw, { plan, title, mayBeEmpty: rows.mayBeEmpty }, "numbers"));
  }
  const sorted = `${rows.frame}[outside[${literal(column.name)}]].sort_values(${literal(column.name)}, key=lambda values: (values - numbers[${literal(column.name)}].median()).abs(), ascending=False)`;
  return [...lines, "", `display(${limits})`, sorted];
}
