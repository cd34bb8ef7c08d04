import type { ColumnProfile } from "@atoll/protocol";
import type { Concept } from "../language/vocabulary.ts";
import type { Filter, Group } from "../plan.ts";
import { toGroup } from "./groups.ts";
import type { Slots } from "./slots.ts";

const KINDS: readonly Concept[] = [
  "trend",
  "growth",
  "month-over-month",
  "year-over-year",
  "distribution",
  "correlation",
  "compare",
  "outliers",
  "missing",
  "duplicates",
  "describe",
  "columns",
  "share",
  "rate",
  "cumulative",
  "rows",
];

const OPENERS =
  /^\s*(and|or|but|what about|how about|only|just|now|then|same|also|instead|without|excluding|exclude|except|remove|as an?|make (it|that)|turn (it|that)|change|sort|split|break (it|that|this)|what if|show (it|that|this|them)|plot (it|that|this)|with|in descending|in ascending)\b|^\s*(只看|只要|仅|那|再|换成|改成|改为|还有|除了|排除|去掉|不要|用)/i;
const CHINESE_END = /呢\s*(?:[?？。]\s*)?$/;

/** Whether a question leans on the one before it. */
export function isFollowUp(question: string, slots: Slots): boolean {
  const text = question.trim();
  if (OPENERS.test(text) || CHINESE_END.test(text) || slots.concepts.has("instead")) return true;
  return !isRequest(slots);
}

function isRequest(slots: Slots): boolean {
  if (slots.measures.length > 0 || slots.numbers.length > 0 || slots.hasRowNoun) return true;
  if (KINDS.some((kind) => slots.concepts.has(kind) && kind !== "share" && kind !== "cumulative"))
    return true;
  return slots.subjects.length > 0 || slots.flags.length > 0;
}

/** The earlier request with what the new question changes of it. */
export function continueSlots(previous: Slots, next: Slots, question: string): Slots {
  const hasNewKind = KINDS.some((kind) => next.concepts.has(kind));
  const { measures, numbers, byMeasures, bareAggregates } = mergeMeasures(previous, next);
  const groups = mergeGroups(previous, next, question);
  const rank = next.rank ?? (groups.isTimeAdded ? undefined : previous.rank);
  const limit = next.limit ?? (groups.isTimeAdded ? undefined : previous.limit);
  const chart = next.chart ?? (hasNewKind ? undefined : previous.chart);
  const isTurned = next.concepts.has("ascending") || next.concepts.has("descending");
  const { chart: _chart, limit: _limit, rank: _rank, ...rest } = previous;
  const turned = next.concepts.has("ascending") ? ("bottom" as const) : ("top" as const);
  return {
    ...rest,
    source: next.source,
    concepts: mergeConcepts(previous, next, hasNewKind),
    filters: mergeFilters(previous, next),
    measures,
    numbers,
    byMeasures,
    bareAggregates,
    groups: groups.groups,
    subjects: groups.subjects,
    flags: next.flags.length > 0 ? next.flags : previous.flags,
    dates: next.dates.length > 0 ? next.dates : previous.dates,
    hasRowNoun: previous.hasRowNoun || next.hasRowNoun,
    unmatched: next.unmatched,
    unknown: next.unknown,
    impossible: next.impossible,
    ...(chart !== undefined && { chart }),
    ...(limit !== undefined && { limit }),
    ...(rank !== undefined && { rank: isTurned ? { ...rank, direction: turned } : rank }),
  };
}

function mergeConcepts(previous: Slots, next: Slots, hasNewKind: boolean): ReadonlySet<Concept> {
  const kept = [...previous.concepts].filter((concept) => {
    if (concept === "ascending" || concept === "descending")
      return !next.concepts.has("ascending") && !next.concepts.has("descending");
    return !hasNewKind || !KINDS.includes(concept);
  });
  const isTimeless = previous.concepts.has("trend") && !hasNewKind;
  const merged = new Set<Concept>([...kept, ...next.concepts]);
  if (isTimeless) merged.add("trend");
  return merged;
}

function mergeMeasures(
  previous: Slots,
  next: Slots,
): Pick<Slots, "measures" | "numbers" | "byMeasures" | "bareAggregates"> {
  const isNamed = next.measures.length > 0 || next.numbers.length > 0 || next.byMeasures.length > 0;
  if (isNamed) {
    // "and for salary?" keeps the aggregate.
    const isBare = next.measures.length === 0 && next.bareAggregates.length === 0;
    const aggregate =
      previous.measures[0]?.column === undefined ? previous.bareAggregates : [previous.measures[0].aggregate];
    return {
      measures: next.measures,
      numbers: next.numbers,
      byMeasures: next.byMeasures,
      bareAggregates: isBare ? aggregate : next.bareAggregates,
    };
  }
  if (next.bareAggregates.length > 0) {
    const columns = [
      ...previous.measures.flatMap((measure) => measure.column ?? []),
      ...previous.numbers,
      ...previous.byMeasures,
    ];
    return {
      measures: [],
      numbers: [...new Set(columns)],
      byMeasures: [],
      bareAggregates: next.bareAggregates,
    };
  }
  return previous;
}

function mergeGroups(
  previous: Slots,
  next: Slots,
  question: string,
): { groups: Group[]; subjects: ColumnProfile[]; isTimeAdded: boolean } {
  const [before, now] = [split(previous), split(next)];
  const isAlso = next.concepts.has("also");
  const isReplacing = /^\s*(and|what about|how about)\b/i.test(question) || CHINESE_END.test(question);
  if (now.time.length === 0 && now.columns.length === 0) {
    return { groups: [...previous.groups], subjects: [...previous.subjects], isTimeAdded: false };
  }
  if (now.columns.length === 0) {
    const kept = before.time.length === 0 && isReplacing && !isAlso ? [] : before.columns;
    return { groups: [...now.time, ...kept], subjects: [], isTimeAdded: before.time.length === 0 };
  }
  const columns = isAlso ? [...before.columns, ...now.columns] : now.columns;
  const time = now.time.length > 0 ? now.time : before.time;
  return { groups: [...time, ...columns], subjects: [], isTimeAdded: false };
}

function split(slots: Slots): { time: Group[]; columns: Group[] } {
  const isTime = (group: Group): boolean => group.kind === "time" || group.kind === "cycle";
  const subjects = slots.subjects.map((subject) => toGroup(subject, slots.source));
  return {
    time: slots.groups.filter(isTime),
    columns: [...subjects, ...slots.groups.filter((group) => !isTime(group))],
  };
}

/** A new value of the same column takes the old one's place; anything else comes on top. */
function mergeFilters(previous: Slots, next: Slots): Filter[] {
  const isComparing = previous.concepts.has("compare") || next.concepts.has("also");
  const added = next.filters.map((filter) => {
    const old = previous.filters.find((other) => isSameFilter(other, filter));
    if (!isComparing || old?.kind !== "equals" || filter.kind !== "equals" || filter.isNegated) return filter;
    return { ...filter, values: [...new Set([...old.values, ...filter.values])] };
  });
  const kept = previous.filters.filter((old) => !next.filters.some((filter) => isSameFilter(old, filter)));
  return [...kept, ...added];
}

function isSameFilter(one: Filter, other: Filter): boolean {
  if (one.column !== other.column) return false;
  if (one.kind === "compare" && other.kind === "compare") return one.operator[0] === other.operator[0];
  if (one.kind === "equals" && other.kind === "equals")
    return one.isNegated === other.isNegated || !other.isNegated;
  return one.kind === other.kind;
}
