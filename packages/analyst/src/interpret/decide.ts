import type { Concept } from "../language/vocabulary.ts";
import type { Language, Plan } from "../plan.ts";
import type { Slots } from "./slots.ts";
import { type Draft, measured } from "./draft.ts";
import { decideGroups, decideRows, decideTotal, isRows } from "./decide-lists.ts";
import { decideCompare, decideShare } from "./decide-parts.ts";
import { decideCorrelation, decideDescribe, decideDistribution, decideMissing } from "./decide-shape.ts";
import { decideGrowth, decideTrend } from "./decide-time.ts";

/** The request that the slots add up to; undefined when they add up to none. */
export function decide(slots: Slots, language: Language): Plan | undefined {
  const draft = decideKind(slots);
  if (draft === undefined) return undefined;
  return {
    language,
    source: slots.source,
    filters: slots.filters,
    measures: [],
    groups: [],
    order: "descending",
    chart: slots.chart ?? "auto",
    ignored: slots.unknown,
    ...draft,
  };
}

const GROWTH: readonly Concept[] = ["growth", "month-over-month", "year-over-year"];

function decideKind(slots: Slots): Draft | undefined {
  const has = (...concepts: Concept[]): boolean => concepts.some((concept) => slots.concepts.has(concept));
  const named = [...slots.numbers, ...slots.subjects, ...slots.flags, ...slots.dates];
  if (has("duplicates")) return { kind: "duplicates", columns: named };
  if (has("missing")) return decideMissing(slots, named);
  if (has("outliers")) return { kind: "outliers", columns: measured(slots) };
  if (has("columns") && measured(slots).length === 0 && slots.groups.length === 0) return { kind: "columns" };
  if (has("correlation") || slots.chart === "scatter") {
    const draft = decideCorrelation(slots);
    if (draft !== undefined) return draft;
  }
  if (has("distribution") || slots.chart === "histogram" || slots.chart === "box")
    return decideDistribution(slots);
  if (has(...GROWTH)) return decideGrowth(slots);
  if (has("compare")) {
    const draft = decideCompare(slots);
    if (draft !== undefined) return draft;
  }
  if (has("share", "rate")) {
    const draft = decideShare(slots);
    if (draft !== undefined) return draft;
  }
  const isTimed = slots.groups.some((group) => group.kind === "time");
  if (has("trend", "cumulative") || (isTimed && slots.rank === undefined)) return decideTrend(slots);
  if (has("describe") && slots.rank === undefined && slots.groups.length === 0 && slots.measures.length === 0)
    return decideDescribe(slots, named);
  if (isRows(slots)) return decideRows(slots);
  return decideGroups(slots) ?? decideTotal(slots);
}
