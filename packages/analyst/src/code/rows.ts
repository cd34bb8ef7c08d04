import { type ColumnProfile, isTextual } from "@atoll/protocol";
import type { Filter, Group, Plan } from "../plan.ts";
import { MONTH_NAMES, WEEKDAY_NAMES } from "../language/dates.ts";
import { freeVariable, groupName } from "./names.ts";
import { call, keyword, list, literal, pick } from "./python.ts";

export interface RowsCode {
  readonly lines: readonly string[];
  /** The variable that holds the rows in question. */
  readonly frame: string;
  /** The filter may leave nothing. */
  readonly mayBeEmpty: boolean;
}

/** The lines that join, filter and prepare the rows; none when the table is used as it is. */
export function rowsCode(plan: Plan, filters: readonly Filter[] = plan.filters): RowsCode {
  const { source } = plan;
  const rows = freeVariable("rows", plan);
  const lines: string[] = [];
  let frame = source.variable;
  if (source.hasRepeatedNames) {
    lines.push(`${rows} = ${frame}.loc[:, ~${frame}.columns.duplicated()]`);
    frame = rows;
  }
  if (source.join !== undefined) {
    const { left, right, leftKey, rightKey, suffix } = source.join;
    const keys =
      leftKey === rightKey
        ? [`on=${literal(leftKey)}`]
        : [`left_on=${literal(leftKey)}`, `right_on=${literal(rightKey)}`];
    lines.push(
      `${rows} = ${call(`${left}.merge`, [right, ...keys, 'how="left"', `suffixes=("", ${literal(suffix)})`])}`,
    );
    frame = rows;
  }
  if (filters.length > 0) {
    lines.push(filterLine(rows, frame, filters));
    frame = rows;
  }
  const derived = plan.groups.filter(
    (group) =>
      group.kind === "cycle" || group.kind === "bands" || (group.kind === "time" && plan.kind === "groups"),
  );
  if (derived.length > 0) {
    const columns = derived.map((group) => keyword(groupName(group, plan), deriveGroup(frame, group)));
    lines.push(`${rows} = ${call(`${frame}.assign`, columns)}`);
    frame = rows;
  }
  return { lines, frame, mayBeEmpty: filters.length > 0 };
}

function filterLine(rows: string, frame: string, filters: readonly Filter[]): string {
  const conditions = filters.flatMap((filter) => conditionsOf(filter, frame));
  if (conditions.length === 1) return `${rows} = ${frame}[${conditions[0] ?? ""}]`;
  const line = conditions.map((condition) => `(${condition})`).join(" & ");
  if (line.length < 80) return `${rows} = ${frame}[${line}]`;
  return `${rows} = ${frame}[\n    ${conditions.map((condition) => `(${condition})`).join("\n    & ")}\n]`;
}

/** Python conditions of a filter, to be combined with `&`. */
export function conditionsOf(filter: Filter, frame: string): string[] {
  const cell = pick(frame, filter.column);
  switch (filter.kind) {
    case "equals":
      return [equals(cell, filter.values, filter.isNegated)];
    case "contains": {
      const text = isTextual(filter.column.kind) ? cell : `${cell}.astype(str)`;
      return [
        `${filter.isNegated ? "~" : ""}${text}.str.contains(${literal(filter.text)}, case=False, regex=False, na=False)`,
      ];
    }
    case "compare":
      return [`${cell} ${filter.operator} ${filter.value}`];
    case "between":
      return [`${cell}.between(${filter.low}, ${filter.high})`];
    case "missing":
      return [filter.isNegated ? `${cell}.notna()` : `${cell}.isna()`];
    case "period":
      return period(cell, filter);
  }
}

function equals(cell: string, values: readonly (string | number | boolean)[], isNegated: boolean): string {
  if (values.length > 1) return `${isNegated ? "~" : ""}${cell}.isin(${list(values)})`;
  return `${cell} ${isNegated ? "!=" : "=="} ${literal(values[0] ?? "")}`;
}

function period(cell: string, filter: Extract<Filter, { kind: "period" }>): string[] {
  const { period, isNegated } = filter;
  const not = isNegated ? "~" : "";
  if (period.kind === "weekdays") return [`${not}${cell}.dt.dayofweek.isin(${list(period.days)})`];
  if (period.kind === "months") return [`${not}${cell}.dt.month.isin(${list(period.months)})`];
  const bounds = [
    ...(period.from === undefined ? [] : [`${cell} >= ${literal(period.from)}`]),
    ...(period.to === undefined ? [] : [`${cell} < ${literal(period.to)}`]),
  ];
  return isNegated ? [`~(${bounds.map((bound) => `(${bound})`).join(" & ")})`] : bounds;
}

function deriveGroup(frame: string, group: Group): string {
  const cell = pick(frame, group.column);
  if (group.kind === "bands") {
    const labels = group.edges
      .slice(0, -1)
      .map((edge, position) => `${edge}–${group.edges[position + 1] ?? ""}`);
    return call("pd.cut", [cell, `bins=${list(group.edges)}`, "right=False", `labels=${list(labels)}`]);
  }
  if (group.kind === "cycle") {
    if (group.cycle === "hour") return `${cell}.dt.hour`;
    const [names, method] =
      group.cycle === "weekday" ? [WEEKDAY_NAMES, "day_name"] : [MONTH_NAMES, "month_name"];
    return call("pd.Categorical", [`${cell}.dt.${method}()`, `categories=${list(names)}`, "ordered=True"]);
  }
  return group.kind === "time" ? periodLabel(cell, group.grain) : cell;
}

/** The period of a date as a label that sorts. */
export function periodLabel(cell: string, grain: "day" | "week" | "month" | "quarter" | "year"): string {
  switch (grain) {
    case "day":
      return `${cell}.dt.strftime("%Y-%m-%d")`;
    case "week":
      return `${cell}.dt.to_period("W").dt.start_time.dt.strftime("%Y-%m-%d")`;
    case "month":
      return `${cell}.dt.strftime("%Y-%m")`;
    case "quarter":
      return `${cell}.dt.to_period("Q").astype(str)`;
    case "year":
      return `${cell}.dt.strftime("%Y")`;
  }
}

export function isTextFlag(column: ColumnProfile): boolean {
  return column.kind === "boolean" && column.samples.some((sample) => typeof sample === "string");
}
