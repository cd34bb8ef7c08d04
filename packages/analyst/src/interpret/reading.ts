import type { Period } from "../plan.ts";
import type { Superlative } from "../language/adjectives.ts";
import { CHINESE_SUPERLATIVES, superlativeOf } from "../language/adjectives.ts";
import { parseDay } from "../language/days.ts";
import { findPeriods, type Calendar, type FoundPeriod } from "../language/periods.ts";
import { CHINESE_NOUNS, isRowNoun } from "../language/synonyms.ts";
import { tokenize, type Token } from "../language/tokens.ts";
import { CHINESE_WORDS, conceptOf, isStopWord, type Concept } from "../language/vocabulary.ts";
import { hasChinese } from "../language/words.ts";
import { indexColumns, matchColumns, type ColumnIndex, type ScoredColumn } from "../schema/columns.ts";
import { isId, mainDate } from "../schema/roles.ts";
import type { Source } from "../schema/source.ts";
import {
  GENDER_WORDS,
  indexValues,
  matchValues,
  type ScoredValue,
  type ValueIndex,
} from "../schema/values.ts";

/** A few neighbouring words of the question and what they mean for one source. */
export type Mention = { readonly text: string; readonly words: readonly string[] } & Meaning;

export type Meaning =
  | { readonly type: "concept"; readonly concept: Concept }
  | { readonly type: "superlative"; readonly superlative: Superlative; readonly column?: ScoredColumn }
  /** `concept` when the words are vocabulary too, as for a column "total". */
  | { readonly type: "column"; readonly columns: readonly ScoredColumn[]; readonly concept?: Concept }
  | { readonly type: "value"; readonly values: readonly ScoredValue[] }
  | { readonly type: "number"; readonly value: number }
  | { readonly type: "period"; readonly period: Period }
  /** "transactions": the rows themselves. */
  | { readonly type: "row-noun" }
  | { readonly type: "quoted" }
  | { readonly type: "stop" }
  | { readonly type: "unknown" };

export interface Reading {
  readonly source: Source;
  readonly mentions: readonly Mention[];
  /** How much of the question is about this source. */
  readonly score: number;
}

const MAX_SPAN = 5;
const MAX_TOKENS = 120;

export function readQuestion(question: string, source: Source): Reading {
  const { columns, values, dictionary } = indexSource(source);
  const tokens = tokenize(question, dictionary).slice(0, MAX_TOKENS);
  const periods = periodsOf(question, source, columns);
  const isCovered = (token: Token): boolean =>
    periods.some((found) => token.start < found.end && found.start < token.end);
  const candidates: Candidate[] = [];
  const meanings = new Map<string, Weighed | undefined>();
  for (let start = 0; start < tokens.length; start += 1) {
    for (let length = 1; length <= MAX_SPAN && start + length <= tokens.length; length += 1) {
      const span = tokens.slice(start, start + length);
      if (isCovered(span.at(-1) ?? span[0]!)) break;
      const key = `${start === 0 ? "^" : ""}${span.map((token) => `${token.kind}:${token.text}`).join(" ")}`;
      if (!meanings.has(key)) meanings.set(key, bestMeaning(span, source, columns, values));
      const best = meanings.get(key);
      if (best !== undefined) candidates.push({ start, length, ...best });
    }
  }
  const mentions = assemble(question, tokens, choose(candidates), periods);
  return { source, mentions, score: scoreOf(mentions, source) };
}

interface SourceIndex {
  readonly columns: readonly ColumnIndex[];
  readonly values: ValueIndex;
  readonly dictionary: ReadonlySet<string>;
}

const indexed = new WeakMap<Source, SourceIndex>();

/** Made once a source: many questions are read against it. */
function indexSource(source: Source): SourceIndex {
  const known = indexed.get(source) ?? {
    columns: indexColumns(source.columns),
    values: indexValues(source.columns),
    dictionary: dictionaryOf(source),
  };
  indexed.set(source, known);
  return known;
}

interface Weighed {
  readonly meaning: Meaning;
  readonly weight: number;
}

interface Candidate extends Weighed {
  readonly start: number;
  readonly length: number;
}

function bestMeaning(
  span: readonly Token[],
  source: Source,
  columns: readonly ColumnIndex[],
  values: ValueIndex,
): Weighed | undefined {
  const options = span.length === 1 ? single(span[0]!, source) : [];
  const phrase = span.map((token) => token.word).join(" ");
  const concept =
    conceptOf(phrase) ??
    (span.length === 1 ? undefined : conceptOf(span.map((token) => token.stem).join(" ")));
  const isPlain = span.every((token) => token.kind !== "quoted");
  if (concept !== undefined && isPlain) options.push({ meaning: { type: "concept", concept }, weight: 0.9 });
  const superlative = superlativeOf(phrase);
  if (superlative !== undefined && isPlain)
    options.push({ meaning: toSuperlative(superlative, columns), weight: 0.92 });
  if ((span.length > 1 || span[0]?.kind !== "operator") && (span.length > 1 || span[0]?.kind !== "number")) {
    const found = matchColumns(span, columns);
    const [best] = found;
    if (best !== undefined) options.push(columnMeaning(found, best, concept, source));
    const matched = matchValues(span, values);
    if (matched[0] !== undefined)
      options.push({ meaning: { type: "value", values: matched }, weight: matched[0].score });
  }
  return options.toSorted((one, other) => other.weight - one.weight)[0];
}

function single(token: Token, source: Source): Weighed[] {
  if (token.kind === "number")
    return [{ meaning: { type: "number", value: token.value ?? 0 }, weight: 0.94 }];
  if (token.kind === "quoted") return [{ meaning: { type: "quoted" }, weight: 0.4 }];
  if (source.nouns.includes(token.stem)) return [{ meaning: { type: "row-noun" }, weight: 0.85 }];
  if (isStopWord(token.word)) return [{ meaning: { type: "stop" }, weight: 0.7 }];
  if (isRowNoun(token.stem)) return [{ meaning: { type: "row-noun" }, weight: 0.4 }];
  return [];
}

function columnMeaning(
  found: readonly ScoredColumn[],
  best: ScoredColumn,
  concept: Concept | undefined,
  source: Source,
): Weighed {
  // "orders" on a table with a distinct order_id: the rows, not their ids.
  const isRowId = isId(best.column, source.rows) && best.column.distinct === source.rows && best.score < 0.98;
  if (isRowId) return { meaning: { type: "row-noun" }, weight: best.score };
  const columns = found.filter((scored) => scored.score >= best.score - 0.15);
  return { meaning: { type: "column", columns, ...(concept && { concept }) }, weight: best.score };
}

function toSuperlative(superlative: Superlative, columns: readonly ColumnIndex[]): Meaning {
  const named = superlative.columnWords
    .flatMap((word) =>
      matchColumns([{ kind: "word", text: word, word, stem: word, start: 0, end: 0 }], columns).slice(0, 1),
    )
    .filter((scored) => scored.column.kind === "number")
    .toSorted((one, other) => other.score - one.score)[0];
  return { type: "superlative", superlative, ...(named && { column: named }) };
}

/** Heaviest first: more words, and surer ones. What they cover is taken. */
function choose(candidates: readonly Candidate[]): Candidate[] {
  const taken = new Set<number>();
  const chosen: Candidate[] = [];
  const rank = (candidate: Candidate): number => candidate.weight * (1 + 0.9 * (candidate.length - 1));
  for (const candidate of candidates.toSorted(
    (one, other) => rank(other) - rank(one) || one.start - other.start,
  )) {
    const positions = Array.from({ length: candidate.length }, (_, offset) => candidate.start + offset);
    if (positions.some((position) => taken.has(position))) continue;
    for (const position of positions) taken.add(position);
    chosen.push(candidate);
  }
  return chosen;
}

function assemble(
  question: string,
  tokens: readonly Token[],
  chosen: readonly Candidate[],
  periods: readonly FoundPeriod[],
): Mention[] {
  const byStart = new Map(chosen.map((candidate) => [candidate.start, candidate]));
  const pending = [...periods];
  const mentions: Mention[] = [];
  for (let position = 0; position < tokens.length;) {
    const token = tokens[position]!;
    const period = pending[0];
    if (period !== undefined && token.end > period.start) {
      mentions.push({
        type: "period",
        period: period.period,
        text: question.slice(period.start, period.end),
        words: [],
      });
      pending.shift();
      while (position < tokens.length && tokens[position]!.start < period.end) position += 1;
      continue;
    }
    const candidate = byStart.get(position);
    const span = tokens.slice(position, position + (candidate?.length ?? 1));
    const text = question.slice(token.start, span.at(-1)?.end).replaceAll(/^["“「']|["”」']$/g, "");
    const words = span.map((each) => each.word);
    mentions.push({ text, words, ...(candidate?.meaning ?? fallback(token)) });
    position += span.length;
  }
  return mentions;
}

function fallback(token: Token): Meaning {
  return token.kind === "operator" ? { type: "stop" } : { type: "unknown" };
}

function periodsOf(question: string, source: Source, columns: readonly ColumnIndex[]): FoundPeriod[] {
  const calendar = calendarOf(source);
  if (calendar === undefined) return [];
  const names = new Set(columns.map((entry) => entry.name));
  return findPeriods(question, calendar).filter(
    (found) => !names.has(question.slice(found.start, found.end).trim().toLowerCase()),
  );
}

export function calendarOf(source: Source): Calendar | undefined {
  const date = mainDate(source.columns);
  const [first, last] = [date?.min, date?.max];
  if (parseDay(first) === undefined || parseDay(last) === undefined) return undefined;
  return { first: String(first).slice(0, 10), last: String(last).slice(0, 10) };
}

function dictionaryOf(source: Source): ReadonlySet<string> {
  const names = source.columns.flatMap((column) => [column.name, ...(column.values ?? [])]);
  const own = names.filter((name) => hasChinese(name)).map((name) => name.trim().toLowerCase());
  return new Set([...CHINESE_WORDS, ...CHINESE_NOUNS, ...CHINESE_SUPERLATIVES, ...GENDER_WORDS, ...own]);
}

function scoreOf(mentions: readonly Mention[], source: Source): number {
  let score = source.join === undefined ? 0 : -0.3;
  for (const mention of mentions) {
    if (mention.type === "column") score += mention.columns[0]?.score ?? 0;
    if (mention.type === "value") score += mention.values[0]?.score ?? 0;
    if (mention.type === "period") score += 0.5;
    if (mention.type === "superlative" && mention.column !== undefined) score += mention.column.score / 2;
    if (mention.type === "row-noun")
      score += mention.words.some((word) => source.nouns.includes(word.replace(/s$/, ""))) ? 0.85 : 0.2;
    if (mention.type === "unknown") score -= 0.5;
  }
  return score;
}
