import type { ColumnProfile } from "@atoll/protocol";
import type { Filter, Measure } from "../plan.ts";
import { isFlag, mainMeasure } from "../schema/roles.ts";
import { fittingGrain, toGroup } from "./groups.ts";
import type { Slots } from "./slots.ts";
import { type Draft, measured } from "./draft.ts";

export function decideMissing(slots: Slots, named: readonly ColumnProfile[]): Draft {
  const asksRows =
    slots.concepts.has("rows") ||
    slots.concepts.has("only") ||
    slots.concepts.has("list") ||
    slots.groups.length > 0;
  const isCount = slots.measures.some((measure) => measure.aggregate === "count") && slots.hasRowNoun;
  if (named.length > 0 && (asksRows || isCount)) {
    const isNegated = slots.concepts.has("not");
    const filters: Filter[] = [
      ...slots.filters,
      ...named.map((column) => ({ kind: "missing" as const, column, isNegated })),
    ];
    if (slots.groups.length > 0)
      return { kind: "groups", filters, groups: slots.groups, measures: [{ aggregate: "count" }] };
    return isCount
      ? { kind: "total", filters, measures: [{ aggregate: "count" }] }
      : { kind: "rows", filters, order: "natural" };
  }
  return { kind: "missing", columns: named };
}

export function decideCorrelation(slots: Slots): Draft | undefined {
  const numbers = [
    ...new Set([
      ...measured(slots),
      ...slots.flags,
      ...slots.groups.flatMap((group) => (group.kind === "bands" ? [group.column] : [])),
    ]),
  ];
  const splits = [
    ...slots.subjects,
    ...slots.groups.flatMap((group) => (group.kind === "column" ? [group.column] : [])),
  ];
  const [number] = numbers;
  if (splits.length > 0 && numbers.length <= 1) {
    const column = number ?? mainMeasure(slots.source.columns, slots.source.rows);
    if (column === undefined) return undefined;
    const measures: Measure[] = [{ aggregate: isFlag(column) ? "rate" : "mean", column }];
    return {
      kind: "groups",
      groups: splits.slice(0, 2).map((split) => toGroup(split, slots.source)),
      measures,
    };
  }
  return { kind: "correlation", columns: numbers };
}

export function decideDistribution(slots: Slots): Draft | undefined {
  const [column] = measured(slots);
  const groups = [...slots.groups, ...slots.subjects.map((subject) => toGroup(subject, slots.source))];
  if (column !== undefined) return { kind: "distribution", columns: [column], groups: groups.slice(0, 1) };
  const [flag] = slots.flags;
  const split = groups[0] ?? (flag && toGroup(flag, slots.source));
  if (split !== undefined)
    return {
      kind: "groups",
      groups: groups.length > 0 ? groups.slice(0, 2) : [split],
      measures: [{ aggregate: "count" }],
      isShare: true,
    };
  const [date] = slots.dates;
  if (date !== undefined)
    return {
      kind: "trend",
      groups: [{ kind: "time", column: date, grain: fittingGrain(slots.source, slots.filters) }],
      measures: [{ aggregate: "count" }],
    };
  const main = mainMeasure(slots.source.columns, slots.source.rows);
  return main && { kind: "distribution", columns: [main] };
}

export function decideDescribe(slots: Slots, named: readonly ColumnProfile[]): Draft {
  const [number] = measured(slots);
  if (number !== undefined) return { kind: "distribution", columns: [number] };
  const [subject] = slots.subjects;
  if (subject !== undefined) return { kind: "values", columns: [subject] };
  return { kind: "describe", columns: named };
}
