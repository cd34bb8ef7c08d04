import type { ColumnProfile } from "@atoll/protocol";
import type { Concept } from "../language/vocabulary.ts";
import type { Aggregate, Measure } from "../plan.ts";
import { isAdditive, isFlag, isId, isWhole } from "../schema/roles.ts";
import type { Trail } from "./trail.ts";

export interface FoundMeasures {
  readonly measures: readonly Measure[];
  /** Aggregates that name no column: "what about the average?" */
  readonly bare: readonly Aggregate[];
}

const AGGREGATES: readonly Concept[] = ["sum", "mean", "median", "min", "max", "std"];

/** Aggregates and the columns they belong to. Number columns without one are left free. */
export function findMeasures(trail: Trail, hasGroups: boolean): FoundMeasures {
  // "distinct categories" alone lists them.
  const isListing = !hasGroups && !trail.has("count");
  const measures: Measure[] = [];
  const bare: Aggregate[] = [];
  for (const [position, concept] of trail.concepts("count", "distinct", ...AGGREGATES)) {
    trail.use(position);
    if (concept === "distinct" && isListing) continue;
    if (concept === "count" || concept === "distinct") {
      const measure = countedAt(trail, position, concept);
      if (measure !== undefined) measures.push(measure);
      continue;
    }
    const target = targetAfter(trail, position) ?? targetBefore(trail, position);
    if (target === undefined) bare.push(concept as Aggregate);
    else measures.push({ aggregate: fitAggregate(concept as Aggregate, target), column: target });
  }
  // "total number of orders": the count is the total.
  const isCounted = measures.some((measure) => measure.aggregate === "count");
  return {
    measures: unique(measures),
    bare: [...new Set(bare)].filter((aggregate) => !isCounted || aggregate !== "sum"),
  };
}

export function defaultAggregate(column: ColumnProfile): Aggregate {
  if (isFlag(column)) return "rate";
  return isAdditive(column) ? "sum" : "mean";
}

/** The average of a yes/no column is a rate. */
function fitAggregate(aggregate: Aggregate, column: ColumnProfile): Aggregate {
  return aggregate === "mean" && isFlag(column) ? "rate" : aggregate;
}

function countedAt(trail: Trail, position: number, concept: "count" | "distinct"): Measure | undefined {
  const next = skip(trail, trail.after(position), ["distinct", "list", "count"]);
  const column = trail.isFree(next) ? trail.columnAt(next) : undefined;
  const isDistinct = concept === "distinct" || trail.isConcept(trail.after(position), "distinct");
  if (column === undefined || (trail.isConcept(next - 1, "by") && !isDistinct)) {
    return concept === "count" ? { aggregate: "count" } : undefined;
  }
  if (!isDistinct && column.kind === "number" && !isId(column, trail.source.rows) && !isFlag(column)) {
    trail.use(next);
    return isAdditive(column) && isWhole(column) ? { aggregate: "sum", column } : { aggregate: "count" };
  }
  if (column.kind === "date" && !isDistinct) return { aggregate: "count" };
  trail.use(next);
  return { aggregate: "distinct", column };
}

/** "average and median salary": the words between belong to the same column. */
function targetAfter(trail: Trail, position: number): ColumnProfile | undefined {
  for (let next = trail.after(position); next >= 0; next = trail.after(next)) {
    const column = trail.columnAt(next, "number");
    if (column !== undefined) {
      const isShared = trail.isConcept(trail.before(next), "and") === false;
      if (isShared) trail.use(next);
      return column;
    }
    const mention = trail.at(next);
    const isBetween = trail.isConcept(
      next,
      "and",
      "distinct",
      "cumulative",
      "most",
      "least",
      "rate",
      "day",
      "week",
      "month",
      "quarter",
      "year",
      "top-n",
      ...AGGREGATES,
    );
    const isFilter = mention?.type === "value" || mention?.type === "period";
    if (!isBetween && !isFilter) return undefined;
  }
  return undefined;
}

function targetBefore(trail: Trail, position: number): ColumnProfile | undefined {
  let previous = trail.before(position);
  while (trail.isConcept(previous, "and", "by", ...AGGREGATES)) previous = trail.before(previous);
  const column = trail.columnAt(previous, "number");
  if (column !== undefined && trail.isFree(previous)) trail.use(previous);
  return column;
}

function skip(trail: Trail, position: number, concepts: Concept[]): number {
  let next = position;
  while (next >= 0 && trail.isConcept(next, ...concepts)) next = trail.after(next);
  return next;
}

function unique(measures: readonly Measure[]): Measure[] {
  const seen = new Set<string>();
  return measures.filter((measure) => {
    const key = `${measure.aggregate}:${measure.column?.name ?? ""}`;
    return seen.has(key) ? false : seen.add(key);
  });
}
