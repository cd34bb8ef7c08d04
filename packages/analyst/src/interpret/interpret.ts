import type { DataProfile } from "@atoll/protocol";
import { MAX_QUESTION_CHARS } from "../language/tokens.ts";
import { hasChinese } from "../language/words.ts";
import type { Filter, Language, Plan } from "../plan.ts";
import { listSources, type Source } from "../schema/source.ts";
import { decide } from "./decide.ts";
import { continueSlots, isFollowUp } from "./follow-up.ts";
import { readQuestion, type Reading } from "./reading.ts";
import { fillSlots, type Slots } from "./slots.ts";
import { findTopic, type Topic } from "./topics.ts";

export type Interpretation =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "topic"; readonly topic: Topic; readonly language: Language }
  | {
      readonly kind: "not-understood";
      readonly language: Language;
      readonly reason: "words" | "unmatched" | "no-date" | "beyond";
      /** The words in question. */
      readonly words: readonly string[];
    };

const MAX_EARLIER = 30;

/**
 * What a question asks, in the light of the user's earlier ones. The same input always gives the same plan. Of each
 * only the first `MAX_QUESTION_CHARS` characters are read.
 */
export function interpret(question: string, earlier: readonly string[], data: DataProfile): Interpretation {
  const sources = listSources(data);
  let previous: Slots | undefined;
  for (const message of earlier.slice(-MAX_EARLIER)) {
    const { interpretation, slots } = interpretOne(message, previous, sources);
    if (interpretation.kind === "plan") previous = slots;
  }
  return interpretOne(question, previous, sources).interpretation;
}

interface Interpreted {
  readonly interpretation: Interpretation;
  readonly slots?: Slots;
}

function interpretOne(message: string, previous: Slots | undefined, sources: readonly Source[]): Interpreted {
  const question = message.slice(0, MAX_QUESTION_CHARS);
  const language = languageOf(question, sources);
  const names = sources.flatMap((source) => source.columns.map((column) => column.name));
  const topic = findTopic(question, names);
  if (topic === "beyond") {
    return { interpretation: { kind: "not-understood", language, reason: "beyond", words: [] } };
  }
  if (topic !== undefined) return { interpretation: { kind: "topic", topic, language } };
  const readings = sources.map((source) => readQuestion(question, source));
  const fresh = best(readings);
  if (fresh === undefined)
    return { interpretation: { kind: "not-understood", language, reason: "words", words: [] } };
  if (previous !== undefined) {
    const reading = best(
      readings.filter(({ source }) => holds(source, previous)),
      previous.source,
    );
    const slots = reading && fillSlots(reading);
    const isWorse = reading !== undefined && fresh.score > reading.score + 0.6;
    if (slots !== undefined && !isWorse && isFollowUp(question, slots)) {
      const merged = continueSlots(previous, slots, question);
      const changes = isEmpty(slots) ? undefined : conclude(merged, reading, language);
      if (changes?.interpretation.kind === "plan") return changes;
    }
  }
  return conclude(fillSlots(fresh), fresh, language);
}

function conclude(slots: Slots, reading: Reading | undefined, language: Language): Interpreted {
  const refuse = (reason: "words" | "unmatched" | "no-date", words: readonly string[]): Interpreted => ({
    interpretation: { kind: "not-understood", language, reason, words },
  });
  if (slots.unmatched.length > 0) return refuse("unmatched", slots.unmatched);
  if (slots.impossible.length > 0) return refuse("no-date", slots.impossible);
  const known =
    reading?.mentions.filter((mention) => mention.type !== "stop" && mention.type !== "unknown").length ?? 0;
  if (slots.unknown.length > Math.max(1, known / 2)) return refuse("words", slots.unknown);
  const plan = decide(slots, language);
  if (plan === undefined) return refuse("words", slots.unknown);
  return { interpretation: { kind: "plan", plan }, slots };
}

/** Nothing in it changes an earlier request. */
function isEmpty(slots: Slots): boolean {
  const hasParts = [
    slots.filters,
    slots.groups,
    slots.byMeasures,
    slots.measures,
    slots.bareAggregates,
    slots.numbers,
    slots.subjects,
    slots.flags,
    slots.dates,
  ].some((part) => part.length > 0);
  if (hasParts || slots.rank !== undefined || slots.limit !== undefined || slots.chart !== undefined)
    return false;
  const weak = new Set([
    "and",
    "what-about",
    "only",
    "not",
    "which-ones",
    "list",
    "by",
    "eq",
    "also",
    "instead",
    "between",
    "first",
    "last",
    "contains",
    "gt",
    "lt",
    "gte",
    "lte",
  ]);
  return [...slots.concepts].every((concept) => weak.has(concept));
}

function best(readings: readonly Reading[], preferred?: Source): Reading | undefined {
  const rank = (reading: Reading): number => reading.score + (reading.source === preferred ? 0.25 : 0);
  let found: Reading | undefined;
  for (const reading of readings) if (found === undefined || rank(reading) > rank(found)) found = reading;
  return found;
}

/** Whether a source has every column of an earlier request. */
function holds(source: Source, slots: Slots): boolean {
  const columns = [
    ...slots.filters.map((filter: Filter) => filter.column),
    ...slots.groups.map((group) => group.column),
    ...slots.measures.flatMap((measure) => measure.column ?? []),
    ...slots.numbers,
    ...slots.byMeasures,
    ...slots.subjects,
  ];
  if (columns.length === 0) return source === slots.source;
  return columns.every((column) => source.columns.includes(column));
}

/** Chinese when more than the names of columns and values is. */
function languageOf(question: string, sources: readonly Source[]): Language {
  if (!hasChinese(question)) return "en";
  let rest = question.toLowerCase();
  const names = sources.flatMap((source) =>
    source.columns.flatMap((column) => [column.name, ...(column.values ?? [])]),
  );
  for (const name of names.toSorted((one, other) => other.length - one.length)) {
    if (name !== "" && hasChinese(name)) rest = rest.replaceAll(name.toLowerCase(), " ");
  }
  return hasChinese(rest) || !/[a-z]/.test(rest) ? "zh" : "en";
}
