import type { Group, Measure, Plan } from "../plan.ts";
import { isAdditive } from "../schema/roles.ts";

/** Names of the result's columns. Code and wording both read them from here. */

const PREFIXES = {
  sum: "total",
  mean: "average",
  median: "median",
  min: "min",
  max: "max",
  std: "std",
  distinct: "distinct",
} as const;

export function measureName(measure: Measure, plan: Plan): string {
  return avoid(
    plainMeasureName(measure),
    plan.groups.map((group) => plainGroupName(group)),
  );
}

function plainMeasureName({ aggregate, column }: Measure): string {
  if (aggregate === "count" || column === undefined) return "count";
  if (aggregate === "rate") return join(column.name, "percent");
  const prefix = PREFIXES[aggregate];
  return column.name.toLowerCase().startsWith(prefix) ? column.name : join(prefix, column.name);
}

/** `total_amount`, but `total 销售额` and `total Unit Price`. */
function join(left: string, right: string): string {
  return /^\w+$/.test(left) && /^\w+$/.test(right) ? `${left}_${right}` : `${left} ${right}`;
}

export function groupName(group: Group, plan: Plan): string {
  const others = plan.groups.filter((other) => other !== group && other.kind === "column");
  return avoid(
    plainGroupName(group),
    group.kind === "column" ? [] : others.map((other) => other.column.name),
  );
}

function plainGroupName(group: Group): string {
  if (group.kind === "time") return group.grain;
  if (group.kind === "cycle") return group.cycle === "month-of-year" ? "month" : group.cycle;
  return group.kind === "bands" ? join(group.column.name, "band") : group.column.name;
}

export function shareName(plan: Plan): string {
  return avoid(
    "share_percent",
    plan.groups.map((group) => plainGroupName(group)),
  );
}

function avoid(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? avoid(`${name}_`, taken) : name;
}

/** A name of our own that no loaded table has. */
export function freeVariable(wanted: string, plan: Plan): string {
  const { source } = plan;
  const taken = new Set([source.variable, source.join?.left, source.join?.right, ...source.reserved]);
  let name = wanted;
  while (taken.has(name)) name = `${name}_`;
  return name;
}

/** Whether shares of a whole make sense beside the values. */
export function hasShare(plan: Plan): boolean {
  const [measure] = plan.measures;
  if (plan.isShare === true) return true;
  if (plan.groups.length !== 1 || plan.measures.length !== 1 || measure === undefined) return false;
  if (plan.groups[0]?.kind !== "column") return false;
  if (measure.aggregate === "count") return true;
  const { column } = measure;
  return (
    measure.aggregate === "sum" &&
    column !== undefined &&
    isAdditive(column) &&
    (Number(column.min) >= 0 || (column.mean ?? 0) > 0)
  );
}
