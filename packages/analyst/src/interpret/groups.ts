import type { ColumnProfile } from "@atoll/protocol";
import { daysBetween } from "../language/days.ts";
import type { Concept } from "../language/vocabulary.ts";
import type { Cycle, Filter, Grain, Group } from "../plan.ts";
import { isGroupable, isMeasure, isYear, mainDate } from "../schema/roles.ts";
import type { Source } from "../schema/source.ts";
import { calendarOf } from "./reading.ts";
import type { Trail } from "./trail.ts";

export interface FoundGroups {
  readonly groups: readonly Group[];
  /** A number after "by" that orders or is summed rather than splits: "top 5 cities by amount". */
  readonly byMeasures: readonly ColumnProfile[];
  /** Grains that the table has no date for. */
  readonly impossible: readonly string[];
  /** A date named by what happened on it, as in "hires per year": the rows are counted. */
  readonly isEvent: boolean;
}

const GRAINS: readonly Concept[] = ["day", "week", "month", "quarter", "year"];
const CYCLES: readonly Concept[] = ["weekday", "hour", "month-of-year"];

/** What the question splits by. `isRanking`: it asks for a top or an order. */
export function findGroups(trail: Trail, isRanking: boolean): FoundGroups {
  const isEvent = [...trail.all("column")].some(
    ([position, mention]) =>
      trail.columnAt(position, "date") !== undefined &&
      !mention.words.some((word) => DATE_WORDS.has(word)) &&
      !trail.isConcept(trail.before(position), "by"),
  );
  const groups: Group[] = [];
  const byMeasures: ColumnProfile[] = [];
  const impossible: string[] = [];
  for (const [position] of trail.concepts("by")) {
    for (const item of itemsAfter(trail, position)) {
      const column = trail.columnAt(item, "group") ?? trail.columnAt(item);
      if (column === undefined) continue;
      if (isOrdering(trail, item, column, isRanking))
        byMeasures.push(trail.columnAt(item, "number") ?? column);
      else groups.push(toGroup(column, trail.source));
      trail.use(item);
    }
    trail.use(position);
  }
  for (const [position, concept] of trail.concepts(...(GRAINS as Concept[]), ...(CYCLES as Concept[]))) {
    const group = timeGroup(trail, concept);
    trail.use(position);
    if (group === undefined) impossible.push(trail.at(position)?.text ?? concept);
    else groups.push(group);
  }
  return { groups: unique(groups), byMeasures, impossible, isEvent };
}

const DATE_WORDS = new Set(["date", "dates", "day", "time", "timestamp", "when", "datetime", "日期", "时间"]);

function* itemsAfter(trail: Trail, position: number): Generator<number> {
  let next = trail.after(position);
  while (next >= 0) {
    const mention = trail.at(next);
    if (mention?.type === "column" && trail.isFree(next)) yield next;
    else if (!trail.isConcept(next, "and", "by", ...GRAINS, ...CYCLES)) return;
    // A list goes on only with "and": "by city amount" has one item.
    const following = trail.after(next);
    if (mention?.type === "column" && !trail.isConcept(following, "and", "by")) return;
    if (trail.isConcept(following, "and") && startsClause(trail, trail.after(following))) return;
    next = following;
  }
}

/** "by city and show the average …" */
function startsClause(trail: Trail, position: number): boolean {
  return trail.isConcept(position, "mean", "sum", "median", "count", "max", "min", "sort", "chart-auto");
}

function isOrdering(trail: Trail, item: number, column: ColumnProfile, isRanking: boolean): boolean {
  const number = trail.columnAt(item, "number");
  if (number === undefined) return false;
  const hasSubject = [...trail.all("column")].some(
    ([other]) => other !== item && trail.columnAt(other, "group") !== undefined,
  );
  if (isRanking && (hasSubject || [...trail.all("row-noun")].length > 0 || trail.has("rows", ...GRAINS)))
    return true;
  return isRanking && !isGroupable(column);
}

function timeGroup(trail: Trail, concept: Concept): Group | undefined {
  const { columns } = trail.source;
  const named = [...trail.all("column")].map(([position]) => trail.columnAt(position, "date")).find(Boolean);
  const date = named ?? mainDate(columns);
  if (date === undefined) {
    const year = columns.find((column) => isYear(column));
    return concept === "year" && year !== undefined ? { kind: "column", column: year } : undefined;
  }
  for (const [position] of trail.all("column")) if (trail.columnAt(position) === date) trail.use(position);
  if (CYCLES.includes(concept)) return { kind: "cycle", column: date, cycle: concept as Cycle };
  return { kind: "time", column: date, grain: concept as Grain };
}

export function toGroup(column: ColumnProfile, source: Source): Group {
  if (column.kind === "date") return { kind: "time", column, grain: fittingGrain(source, []) };
  if (column.kind === "number" && isMeasure(column, source.rows) && !isGroupable(column)) {
    const edges = niceEdges(Number(column.min), Number(column.max));
    if (edges.length > 2) return { kind: "bands", column, edges };
  }
  return { kind: "column", column };
}

/** A grain that gives a readable number of points for the span in question. */
export function fittingGrain(source: Source, filters: readonly Filter[]): Grain {
  const calendar = calendarOf(source);
  if (calendar === undefined) return "month";
  let { first, last } = calendar;
  for (const filter of filters) {
    if (filter.kind !== "period" || filter.period.kind !== "range" || filter.isNegated) continue;
    if (filter.period.from !== undefined && filter.period.from > first) first = filter.period.from;
    if (filter.period.to !== undefined && filter.period.to < last) last = filter.period.to;
  }
  const days = daysBetween(first, last);
  if (days <= 45) return "day";
  if (days <= 182) return "week";
  if (days <= 365 * 6) return "month";
  return days <= 365 * 12 ? "quarter" : "year";
}

/** About eight bands with round borders. */
function niceEdges(min: number, max: number): number[] {
  if (!Number.isFinite(min) || !Number.isFinite(max) || max <= min) return [];
  const raw = (max - min) / 8;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
  const start = Math.floor(min / step);
  const end = Math.floor(max / step) + 1;
  return Array.from({ length: end - start + 1 }, (_, position) =>
    Number(((start + position) * step).toPrecision(12)),
  );
}

function unique(groups: readonly Group[]): Group[] {
  const seen = new Set<string>();
  return groups.filter((group) => {
    const key = group.kind === "time" || group.kind === "cycle" ? group.kind : `column:${group.column.name}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
