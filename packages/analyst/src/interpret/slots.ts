import type { ColumnProfile } from "@atoll/protocol";
import type { Concept } from "../language/vocabulary.ts";
import type { Aggregate, ChartKind, Filter, Group, Measure } from "../plan.ts";
import { isFlag } from "../schema/roles.ts";
import type { Source } from "../schema/source.ts";
import { findGroups } from "./groups.ts";
import { findMeasures } from "./measures.ts";
import { findNumberFilters } from "./number-filters.ts";
import { findRank, type Rank } from "./rank.ts";
import type { Reading } from "./reading.ts";
import { Trail } from "./trail.ts";
import { findAbsences, findFlagFilters, findValueFilters, textColumn } from "./value-filters.ts";

/** What a question says, part by part, before it is decided what kind of request it is. */
export interface Slots {
  readonly source: Source;
  readonly concepts: ReadonlySet<Concept>;
  readonly filters: readonly Filter[];
  readonly groups: readonly Group[];
  readonly byMeasures: readonly ColumnProfile[];
  readonly measures: readonly Measure[];
  readonly bareAggregates: readonly Aggregate[];
  /** Columns named without "by" and without an aggregate. */
  readonly numbers: readonly ColumnProfile[];
  readonly subjects: readonly ColumnProfile[];
  readonly flags: readonly ColumnProfile[];
  readonly dates: readonly ColumnProfile[];
  readonly rank?: Rank;
  readonly limit?: number;
  readonly chart?: ChartKind;
  readonly hasRowNoun: boolean;
  /** Words where a value belongs, which no column has. */
  readonly unmatched: readonly string[];
  readonly unknown: readonly string[];
  /** Grains asked for on a table without dates. */
  readonly impossible: readonly string[];
}

export function fillSlots(reading: Reading): Slots {
  const trail = new Trail(reading);
  const concepts = new Set([...trail.all("concept")].map(([, mention]) => mention.concept));
  const chart = findChart(trail);
  const numberFilters = findNumberFilters(trail);
  const valueFilters = findValueFilters(trail);
  const absences = findAbsences(trail);
  const flagFilters = findFlagFilters(trail);
  const rank = findRank(trail);
  const isRanking =
    rank.rank !== undefined ||
    ["sort", "rank", "ascending", "descending"].some((concept) => concepts.has(concept as Concept));
  const found = findGroups(trail, isRanking);
  const { measures, bare } = findMeasures(trail, found.groups.length > 0);
  const guessed = findUnmatched(trail);
  const columns = [...trail.all("column")].map(([position]) => position);
  const left = (use: "number" | "group" | "date"): ColumnProfile[] => [
    ...new Set(columns.flatMap((position) => trail.columnAt(position, use) ?? [])),
  ];
  const numbers = left("number").filter((column) => !isFlag(column));
  const others = [...new Set(columns.flatMap((position) => trail.columnAt(position) ?? []))];
  return {
    source: reading.source,
    concepts,
    filters: [...numberFilters, ...valueFilters, ...absences, ...flagFilters, ...guessed.filters],
    groups: found.groups,
    byMeasures: found.byMeasures,
    measures,
    bareAggregates: bare,
    numbers: [...numbers, ...(rank.column === undefined ? [] : [rank.column])],
    subjects: left("group").filter((column) => !numbers.includes(column) && !isFlag(column)),
    flags: others.filter((column) => isFlag(column)),
    dates: left("date"),
    ...(rank.rank !== undefined && { rank: rank.rank }),
    ...(rank.limit !== undefined && { limit: rank.limit }),
    ...(chart !== undefined && { chart }),
    hasRowNoun: found.isEvent || [...trail.all("row-noun")].length > 0,
    unmatched: [...guessed.unmatched, ...(rank.unmatched === undefined ? [] : [rank.unmatched])],
    unknown: [...trail.all("unknown")].map(([, mention]) => mention.text),
    impossible: found.impossible,
  };
}

const CHARTS: readonly ChartKind[] = [
  "bar",
  "line",
  "pie",
  "histogram",
  "scatter",
  "box",
  "stacked",
  "area",
  "none",
  "auto",
];

function findChart(trail: Trail): ChartKind | undefined {
  for (const kind of CHARTS) {
    for (const [position] of trail.concepts(`chart-${kind}` as Concept)) {
      trail.use(position);
      return kind;
    }
  }
  return undefined;
}

/** "in Paris", "at Joe's", where no value is known by that name: looked for in a text column, or said to be unknown. */
function findUnmatched(trail: Trail): { filters: Filter[]; unmatched: string[] } {
  const filters: Filter[] = [];
  const unmatched: string[] = [];
  for (const [position] of trail.all("unknown")) {
    if (!trail.isFree(position) || !isFilterPlace(trail, position)) continue;
    const words: string[] = [];
    for (let next = position; trail.at(next)?.type === "unknown" && words.length < 5; next += 1) {
      words.push(trail.at(next)?.text ?? "");
      trail.use(next);
    }
    const text = words.join(" ");
    const isNegated = trail.isConcept(trail.before(position), "not");
    const column = textColumn(trail, text);
    if (column === undefined) unmatched.push(text);
    else filters.push({ kind: "contains", column, text, isNegated });
  }
  return { filters, unmatched };
}

const PLACES = new Set(["in", "at", "for", "from", "with", "on", "to", "of", "在"]);

function isFilterPlace(trail: Trail, position: number): boolean {
  const before = trail.at(position - 1);
  if (before === undefined) return false;
  if (before.type === "stop") return PLACES.has(before.words[0] ?? "");
  return trail.isConcept(position - 1, "only", "not", "eq", "between") || before.type === "value";
}
