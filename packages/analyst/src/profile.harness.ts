import type { ColumnProfile, DataProfile, TableProfile } from "@atoll/protocol";
import type { Filter, Group, Plan } from "./plan.ts";
import type { Cell, TestTable } from "./tables.harness.ts";

/** What the loader says of a table, for tests that need no sandbox. */
export function profileOf(...tables: readonly TestTable[]): DataProfile {
  return { tables: tables.map((table, position) => toProfile(table, position)), others: [] };
}

function toProfile({ file, columns }: TestTable, position: number): TableProfile {
  const rows = Object.values(columns)[0]?.length ?? 0;
  return {
    file: `/data/${file}`,
    name: file,
    variable: position === 0 ? "df" : file.replace(/\.\w+$/, ""),
    format: "csv",
    rows,
    loaded_rows: rows,
    columns: Object.entries(columns).map(([name, cells]) => profileColumn(name, cells)),
    sample: [],
    notes: [],
  };
}

function profileColumn(name: string, cells: readonly Cell[]): ColumnProfile {
  const present = cells.filter((cell) => cell !== null);
  const distinct = [...new Set(present)];
  const base = {
    name,
    missing: cells.length - present.length,
    distinct: distinct.length,
    samples: distinct.slice(0, 5),
  };
  if (present.every((cell) => typeof cell === "boolean"))
    return {
      ...base,
      dtype: "bool",
      kind: "boolean",
      values: distinct.map((cell) => (cell === true ? "True" : "False")),
    };
  if (present.every((cell) => typeof cell === "number")) {
    const isWhole = base.missing === 0 && present.every((cell) => Number.isInteger(cell));
    const mean = present.reduce((sum, cell) => sum + cell, 0) / present.length;
    return {
      ...base,
      dtype: isWhole ? "int64" : "float64",
      kind: "number",
      min: Math.min(...present),
      max: Math.max(...present),
      mean,
    };
  }
  const texts = distinct.map((cell) => String(cell)).toSorted();
  if (texts.every((text) => /^\d{4}-\d{2}-\d{2}( |$)/.test(text))) {
    return {
      ...base,
      dtype: "datetime64[us]",
      kind: "date",
      min: texts[0]!.replace(" ", "T"),
      max: texts.at(-1)!.replace(" ", "T"),
    };
  }
  const kind = distinct.length <= Math.max(20, cells.length / 20) ? "category" : "text";
  return { ...base, dtype: "str", kind, values: texts.slice(0, 50) };
}

/** A plan in one line: `groups sum(amount) by category desc 5 where city=Chicago`. */
export function summarize(plan: Plan): string {
  const measures = plan.measures.map(({ aggregate, column }) =>
    column === undefined ? aggregate : `${aggregate}(${column.name})`,
  );
  const columns = (plan.columns ?? []).map((column) => column.name);
  const order = plan.order === "ascending" ? "asc" : plan.order === "descending" ? "desc" : "natural";
  const isOrdered = ["groups", "rows", "growth"].includes(plan.kind);
  return [
    plan.kind,
    plan.isShare === true ? "share" : "",
    plan.isCumulative === true ? "cumulative" : "",
    [...measures, ...columns].join("+"),
    plan.groups.length > 0 ? `by ${plan.groups.map((group) => groupText(group)).join("+")}` : "",
    plan.periods === undefined ? "" : `of ${plan.periods.map((period) => period.label).join(" | ")}`,
    isOrdered ? order : "",
    plan.limit === undefined ? "" : String(plan.limit),
    plan.wantsOne === true ? "one" : "",
    plan.filters.length > 0 ? `where ${plan.filters.map((filter) => filterText(filter)).join(" & ")}` : "",
    plan.source.join === undefined ? "" : `join ${plan.source.join.leftKey}`,
    plan.chart === "auto" ? "" : `as ${plan.chart}`,
    plan.ignored.length > 0 ? `ignoring ${plan.ignored.join(" ")}` : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function groupText(group: Group): string {
  if (group.kind === "time") return group.grain;
  if (group.kind === "cycle") return group.cycle;
  return group.kind === "bands" ? `${group.column.name}[]` : group.column.name;
}

function filterText(filter: Filter): string {
  const { name } = filter.column;
  switch (filter.kind) {
    case "equals":
      return `${name}${filter.isNegated ? "!=" : "="}${filter.values.join("|")}`;
    case "contains":
      return `${name}${filter.isNegated ? "!~" : "~"}${filter.text}`;
    case "compare":
      return `${name}${filter.operator}${filter.value}`;
    case "between":
      return `${name} in ${filter.low}..${filter.high}`;
    case "missing":
      return `${name} ${filter.isNegated ? "present" : "missing"}`;
    case "period": {
      const { period } = filter;
      const text =
        period.kind === "range"
          ? `${period.from ?? ""}..${period.to ?? ""}`
          : period.kind === "months"
            ? `month ${period.months.join()}`
            : `weekday ${period.days.join()}`;
      return `${filter.isNegated ? "not " : ""}${name} ${text}`;
    }
  }
}
