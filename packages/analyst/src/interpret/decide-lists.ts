import type { Measure } from "../plan.ts";
import { mainMeasure } from "../schema/roles.ts";
import type { Slots } from "./slots.ts";
import { allGroups, type Draft, measuresNamed, measuresOf, ranking } from "./draft.ts";

export function isRows(slots: Slots): boolean {
  const isPlain =
    slots.measures.length === 0 && slots.bareAggregates.length === 0 && slots.groups.length === 0;
  if (!isPlain || slots.concepts.has("share")) return false;
  const asksRows = slots.concepts.has("rows") || slots.hasRowNoun;
  if (slots.rank?.byDate !== undefined) return slots.subjects.length === 0 || asksRows;
  if (slots.rank !== undefined) {
    if (slots.rank.isBoth) return false;
    return slots.subjects.length === 0 || slots.concepts.has("rows");
  }
  if (asksRows && slots.subjects.length === 0)
    return slots.numbers.length === 0 || slots.concepts.has("rows") || slots.filters.length > 0;
  if (asksRows && slots.filters.length > 0) return true;
  return slots.limit !== undefined && slots.subjects.length === 0;
}

export function decideRows(slots: Slots): Draft | undefined {
  const [column] = [...slots.byMeasures, ...slots.numbers];
  const sortBy =
    slots.rank?.byDate ??
    column ??
    (slots.rank === undefined ? undefined : mainMeasure(slots.source.columns, slots.source.rows));
  // "top 5 rows" are the first ones, unless a number is named.
  const isPlainTop = slots.rank?.isExtreme === false && slots.concepts.has("rows") && column === undefined;
  const isSorted = (slots.rank !== undefined && !isPlainTop) || slots.concepts.has("sort");
  const isLast = slots.concepts.has("last") && !isSorted;
  return {
    kind: "rows",
    columns: isSorted && sortBy !== undefined ? [sortBy] : [],
    order: isLast
      ? "ascending"
      : isSorted
        ? slots.rank?.direction === "bottom" || slots.concepts.has("ascending")
          ? "ascending"
          : "descending"
        : "natural",
    ...(slots.rank?.wantsOne === true && { wantsOne: true }),
    ...(slots.limit !== undefined ? { limit: slots.limit } : slots.rank === undefined ? {} : { limit: 10 }),
  };
}

export function decideGroups(slots: Slots): Draft | undefined {
  const groups = allGroups(slots);
  if (groups.length === 0) return undefined;
  const isListing =
    slots.groups.length === 0 &&
    measuresNamed(slots).length === 0 &&
    slots.rank === undefined &&
    slots.bareAggregates.length === 0;
  const isPlain =
    slots.concepts.has("which-ones") ||
    slots.concepts.has("list") ||
    slots.concepts.has("distinct") ||
    slots.filters.length > 0;
  if (isListing) {
    if (slots.subjects.length === 1 && isPlain) return { kind: "values", columns: slots.subjects };
    if (!isPlain && !slots.concepts.has("rank") && slots.chart === undefined)
      return { kind: "values", columns: slots.subjects.slice(0, 1) };
  }
  // "most common merchant" counts; "highest amount per city" is the greatest of each.
  const isCommon =
    slots.rank?.isExtreme === true && measuresNamed(slots).length === 0 && slots.bareAggregates.length === 0;
  const isExtremeOfEach =
    slots.rank?.isExtreme === true &&
    slots.rank.wantsOne &&
    slots.groups.length > 0 &&
    slots.subjects.length === 0 &&
    slots.numbers.length > 0 &&
    slots.groups.every((group) => group.kind !== "time") &&
    !slots.concepts.has("which-ones") &&
    slots.measures.length === 0;
  if (isExtremeOfEach) {
    const aggregate = slots.rank?.direction === "bottom" ? "min" : "max";
    const aggregates = slots.rank?.isBoth === true ? (["max", "min"] as const) : [aggregate as "max" | "min"];
    const measures = aggregates.map((each): Measure => ({ aggregate: each, column: slots.numbers[0]! }));
    return { kind: "groups", groups: groups.slice(0, 2), measures };
  }
  const isTime = groups[0]?.kind === "time";
  const fallback = isCommon && !isTime ? "count" : "sum";
  const isBanded =
    groups.some((group) => group.kind === "bands") &&
    slots.measures.length === 0 &&
    slots.bareAggregates.length === 0;
  const measures = measuresOf(slots, fallback).map((measure): Measure =>
    isBanded && measure.aggregate === "sum" ? { ...measure, aggregate: "mean" } : measure,
  );
  return { kind: "groups", groups: groups.slice(0, 2), measures, ...ranking(slots) };
}

export function decideTotal(slots: Slots): Draft | undefined {
  if (slots.rank?.isBoth === true) {
    const [column] =
      slots.numbers.length > 0 ? slots.numbers : [mainMeasure(slots.source.columns, slots.source.rows)];
    if (column !== undefined)
      return {
        kind: "total",
        measures: [
          { aggregate: "max", column },
          { aggregate: "min", column },
        ],
      };
  }
  const named = measuresNamed(slots);
  if (named.length > 0 || slots.bareAggregates.length > 0)
    return { kind: "total", measures: measuresOf(slots, "sum") };
  const [flag] = slots.flags;
  if (flag !== undefined) return { kind: "total", measures: [{ aggregate: "rate", column: flag }] };
  // Only filters, as in "only Chicago": the rows themselves.
  return slots.filters.some((filter) => filter.kind !== "contains")
    ? { kind: "rows", order: "natural" }
    : undefined;
}
