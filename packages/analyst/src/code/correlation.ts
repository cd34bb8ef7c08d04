import type { ColumnProfile } from "@atoll/protocol";
import type { Plan } from "../plan.ts";
import { isMeasure } from "../schema/roles.ts";
import { capital, columnTerm } from "../wording/terms.ts";
import { drawChart, isCharted, NO_BOX } from "./charts.ts";
import { chartText } from "./chart-text.ts";
import { freeVariable } from "./names.ts";
import { list, literal, pick } from "./python.ts";
import { rowsCode } from "./rows.ts";

/** Pearson's r: of two columns, of one with all others, or of every pair. */
export function correlationCode(plan: Plan): string[] {
  const named = plan.columns ?? [];
  return named.length === 2 ? pairCode(plan, named[0]!, named[1]!) : matrixCode(plan, named);
}

function pairCode(plan: Plan, first: ColumnProfile, second: ColumnProfile): string[] {
  const rows = rowsCode(plan);
  const [pairs, table] = [freeVariable("pairs", plan), freeVariable("table", plan)];
  const [x, y] = [pick(pairs, first), pick(pairs, second)];
  const lines = [
    ...rows.lines,
    `${pairs} = ${rows.frame}[${list([first.name, second.name])}].dropna().astype(float)`,
    `${table} = pd.DataFrame([{"x": ${literal(first.name)}, "y": ${literal(second.name)}, "correlation": ${x}.corr(${y}), "rows": len(${pairs})}]).round(3)`,
  ];
  if (isCharted(plan)) {
    const title =
      plan.language === "zh"
        ? `${columnTerm(first)}与${columnTerm(second)}`
        : `${capital(columnTerm(second))} against ${columnTerm(first)}`;
    const draw = [
      `sample = ${pairs}.sample(min(len(${pairs}), 3000), random_state=0)`,
      "fig, ax = plt.subplots(figsize=(7, 5))",
      `ax.scatter(${pick("sample", first)}, ${pick("sample", second)}, s=12, alpha=0.5)`,
      `if ${x}.nunique() > 1:`,
      `    slope, intercept = np.polyfit(${x}, ${y}, 1)`,
      `    ends = np.array([${x}.min(), ${x}.max()])`,
      '    ax.plot(ends, slope * ends + intercept, color="tab:red")',
      ...(Number(first.max) >= 1000 ? ['ax.xaxis.set_major_formatter("{x:,.0f}")'] : []),
      ...(Number(second.max) >= 1000 ? ['ax.yaxis.set_major_formatter("{x:,.0f}")'] : []),
      `ax.set_xlabel(${chartText(capital(columnTerm(first)), "First column", plan)})`,
      `ax.set_ylabel(${chartText(capital(columnTerm(second)), "Second column", plan)})`,
      NO_BOX,
    ];
    lines.push("", ...drawChart(draw, { plan, title, mayBeEmpty: true }, pairs));
  }
  return [...lines, "", table];
}

const MAX_COLUMNS = 15;

function matrixCode(plan: Plan, named: readonly ColumnProfile[]): string[] {
  const rows = rowsCode(plan);
  const [matrix, table] = [freeVariable("matrix", plan), freeVariable("table", plan)];
  const usable = plan.source.columns.filter(
    (column) => isMeasure(column, plan.source.rows) || column.kind === "boolean",
  );
  const [only] = named;
  const columns = (
    named.length > 2
      ? named
      : usable.filter((column) => column.samples.every((sample) => typeof sample !== "string"))
  ).slice(0, MAX_COLUMNS);
  const names = columns.map((column) => column.name);
  if (named.length === 1 && only !== undefined && !names.includes(only.name)) names.push(only.name);
  const lines = [...rows.lines, `${matrix} = ${rows.frame}[${list(names)}].astype(float).corr()`];
  if (named.length === 1 && only !== undefined) {
    lines.push(
      `${table} = ${pick(matrix, only)}.drop(${literal(only.name)}).sort_values(key=abs, ascending=False)`,
      `${table} = ${table}.round(3).rename_axis("column").reset_index(name="correlation")`,
    );
  } else {
    lines.push(
      `${table} = ${matrix}.where(np.triu(np.ones(${matrix}.shape), k=1).astype(bool)).stack().dropna()`,
      `${table} = ${table}.sort_values(key=abs, ascending=False).round(3)`,
      `${table} = ${table}.rename_axis(["x", "y"]).reset_index(name="correlation")`,
    );
  }
  if (isCharted(plan)) lines.push("", ...heatmap(plan, matrix, names.length));
  return [...lines, "", table];
}

function heatmap(plan: Plan, matrix: string, count: number): string[] {
  const labels = (axis: string): string =>
    chartText("列", "", { ...plan, columns: plan.source.columns }).includes(" if font else ")
      ? `${matrix}.${axis} if font else range(1, len(${matrix}) + 1)`
      : `${matrix}.${axis}`;
  const draw = [
    `fig, ax = plt.subplots(figsize=(${Math.max(5, 1.6 + 0.6 * count).toFixed(1)}, ${Math.max(4, 1 + 0.5 * count).toFixed(1)}))`,
    `image = ax.imshow(${matrix}, cmap="RdBu_r", vmin=-1, vmax=1)`,
    `ax.set_xticks(range(len(${matrix})), ${labels("columns")}, rotation=45, ha="right")`,
    `ax.set_yticks(range(len(${matrix})), ${labels("index")})`,
    `for row, column in np.ndindex(${matrix}.shape):`,
    `    ax.text(column, row, f"{${matrix}.iloc[row, column]:.2f}", ha="center", va="center", fontsize=8, color="white" if abs(${matrix}.iloc[row, column]) > 0.6 else "black")`,
    'fig.colorbar(image, label="r")',
  ];
  const title = plan.language === "zh" ? "相关系数" : "Correlation of the number columns";
  return drawChart(
    draw,
    { plan: { ...plan, columns: plan.source.columns }, title, mayBeEmpty: false },
    matrix,
  );
}
