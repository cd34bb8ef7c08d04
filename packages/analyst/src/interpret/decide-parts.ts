import type { Measure } from "../plan.ts";
import { isAdditive, isMoney } from "../schema/roles.ts";
import { toGroup } from "./groups.ts";
import type { Slots } from "./slots.ts";
import { allGroups, type Draft, measured, measuresOf, ranking } from "./draft.ts";

export function decideCompare(slots: Slots): Draft | undefined {
  const periods = slots.filters.flatMap((filter) =>
    filter.kind === "period" && !filter.isNegated ? [filter] : [],
  );
  const measures = measuresOf(slots, "sum");
  if (periods.length >= 2) {
    const filters = slots.filters.filter((filter) => filter.kind !== "period");
    return {
      kind: "compare",
      filters,
      measures,
      periods: periods.map((filter) => filter.period),
      groups: [],
    };
  }
  const values = slots.filters.find((filter) => filter.kind === "equals" && filter.values.length >= 2);
  if (values?.kind === "equals") {
    const timed = slots.groups.filter((group) => group.kind === "time");
    if (timed.length > 0)
      return {
        kind: "trend",
        groups: [...timed, { kind: "column", column: values.column }],
        measures,
        order: "natural",
      };
    const others = slots.groups.filter((group) => group.column !== values.column).slice(0, 1);
    if (others.length > 0)
      return { kind: "groups", groups: [...others, { kind: "column", column: values.column }], measures };
    return { kind: "compare", measures, groups: [{ kind: "column", column: values.column }] };
  }
  if (slots.groups.length === 0 && slots.subjects.length === 0 && slots.flags.length === 0) {
    if (slots.numbers.length < 2) return undefined;
    const isMoneyOnly = slots.numbers.every((column) => isMoney(column) && isAdditive(column));
    if (isMoneyOnly)
      return {
        kind: "total",
        measures: slots.numbers.map((column): Measure => ({ aggregate: "sum", column })),
      };
    return { kind: "correlation", columns: slots.numbers };
  }
  const flags = slots.flags.filter((flag) => !slots.groups.some((group) => group.column === flag));
  const groups = [
    ...slots.groups,
    ...[...slots.subjects, ...flags].map((subject) => toGroup(subject, slots.source)),
  ].slice(0, 2);
  if (groups.some((group) => group.kind === "time")) return undefined;
  return { kind: "groups", groups, measures, ...ranking(slots) };
}

export function decideShare(slots: Slots): Draft | undefined {
  const [flag] = slots.flags.filter((column) => !slots.groups.some((group) => group.column === column));
  const groups = allGroups(slots).filter((group) => group.column !== flag);
  if (flag !== undefined) {
    const measures: Measure[] = [{ aggregate: "rate", column: flag }];
    if (groups.some((group) => group.kind === "time"))
      return { kind: "trend", groups: groups.slice(0, 2), measures, order: "natural" };
    return groups.length > 0
      ? { kind: "groups", groups: groups.slice(0, 2), measures, ...ranking(slots) }
      : { kind: "total", measures };
  }
  if (!slots.concepts.has("share")) return undefined;
  const additive = measuresOf(slots, "sum").filter(
    (measure) => measure.aggregate === "sum" || measure.aggregate === "count",
  );
  const asksRows = slots.hasRowNoun && measured(slots).length === 0;
  const measures: Measure[] =
    asksRows || additive.length === 0 ? [{ aggregate: "count" }] : additive.slice(0, 1);
  const part = slots.filters.find((filter) => filter.kind !== "period") ?? slots.filters[0];
  if (groups.length > 0)
    return { kind: "groups", groups: groups.slice(0, 2), measures, isShare: true, ...ranking(slots) };
  if (part === undefined) return undefined;
  return {
    kind: "share-of",
    measures,
    filters: [part, ...slots.filters.filter((filter) => filter !== part)],
  };
}
