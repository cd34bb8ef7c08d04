import type { ColumnProfile } from "@atoll/protocol";
import { affinity, expand } from "../language/synonyms.ts";
import { isStopWord } from "../language/vocabulary.ts";
import { isTypo, splitName, toStem } from "../language/words.ts";
import type { Token } from "../language/tokens.ts";

export interface ScoredColumn {
  readonly column: ColumnProfile;
  /** 1 when the words are the column's name. */
  readonly score: number;
}

/** A column prepared for many comparisons. */
export interface ColumnIndex {
  readonly column: ColumnProfile;
  readonly name: string;
  readonly stems: readonly string[];
  /** The stems, also spelled out: what a phrase must have one of. */
  readonly words: ReadonlySet<string>;
  /** How well a phrase fits, once it was asked: a column is in every join of its table. */
  readonly scores: Map<string, number>;
}

const indexed = new WeakMap<ColumnProfile, ColumnIndex>();

export function indexColumns(columns: readonly ColumnProfile[]): ColumnIndex[] {
  return columns.map((column) => {
    const known = indexed.get(column) ?? indexColumn(column);
    indexed.set(column, known);
    return known;
  });
}

function indexColumn(column: ColumnProfile): ColumnIndex {
  const stems = splitName(column.name).map((word) => toStem(word));
  const words = new Set([...stems, ...stems.map((stem) => expand(stem))]);
  const name = column.name.normalize("NFKC").trim().toLowerCase();
  return { column, name, stems, words, scores: new Map() };
}

/** Columns that a few neighbouring words can mean, best first. */
export function matchColumns(words: readonly Token[], index: readonly ColumnIndex[]): ScoredColumn[] {
  // "years of experience" is years_experience.
  const telling = words.filter(
    (token, position) => position === 0 || position === words.length - 1 || !isStopWord(token.word),
  );
  const stems = telling.flatMap((token) =>
    token.kind === "quoted" ? splitName(token.text).map((word) => toStem(word)) : [token.stem],
  );
  const spoken = words.map((token) => token.word).join(" ");
  if (words.length > 1 && !index.some((entry) => stems.some((stem) => entry.words.has(stem)))) return [];
  const key = `${spoken}|${stems.join(" ")}`;
  const score = (entry: ColumnIndex): number => {
    const known = entry.scores.get(key) ?? scoreOf(stems, spoken, entry);
    entry.scores.set(key, known);
    return known;
  };
  return index
    .map((entry) => ({ column: entry.column, score: score(entry) }))
    .filter((scored) => scored.score > 0)
    .toSorted((one, other) => other.score - one.score);
}

function scoreOf(stems: readonly string[], spoken: string, entry: ColumnIndex): number {
  if (spoken === entry.name || spoken.replaceAll(" ", "") === entry.name.replaceAll(" ", "")) return 1;
  const joined = stems.join("");
  const name = entry.stems;
  // "of total" is not the column "% of total" unless all of it is there.
  const isLoose = isLooseSpan(spoken);
  if (name.length === 0) return 0;
  if (joined === name.join("") && joined !== "" && !isLoose) return 0.99;
  if (isLoose) return 0;
  if (isPlainRun(stems, name)) return runScore(stems, name);
  if (isPlainRun(stems.map(expand), name.map(expand))) return 0.55 + 0.3 * (stems.length / name.length);
  if (stems.length > 1) return fuzzyRun(stems, name) ? 0.75 : 0;
  return scoreWord(stems[0] ?? "", entry);
}

function isLooseSpan(spoken: string): boolean {
  const words = spoken.split(" ");
  return words.length > 1 && (isStopWord(words[0] ?? "") || isStopWord(words.at(-1) ?? ""));
}

function scoreWord(stem: string, entry: ColumnIndex): number {
  const name = entry.stems;
  if (stem.length >= 5 && name.length === 1 && isTypo(stem, name[0] ?? "")) return 0.8;
  if (stem.length >= 5 && name.some((word) => isTypo(stem, word))) return 0.55;
  if (name.some((word) => isPrefix(stem, word))) return 0.5;
  if (/[\u3400-\u9fff]/.test(stem) && stem.length >= 2 && entry.name.includes(stem)) {
    return 0.55 + 0.3 * (stem.length / entry.name.length);
  }
  const meaning = Math.max(
    0,
    ...name.map((word) => affinity(stem, expand(word))),
    chineseAffinity(stem, entry.name),
  );
  return meaning === 0 ? 0 : 0.3 + 0.15 * meaning;
}

/** A Chinese name is one run of characters, so words of the same meaning are looked for inside it. */
function chineseAffinity(stem: string, name: string): number {
  if (!/[\u3400-\u9fff]/.test(name)) return 0;
  let best = 0;
  for (let start = 0; start < name.length; start += 1) {
    for (let length = 2; length <= 4 && start + length <= name.length; length += 1) {
      best = Math.max(best, affinity(stem, name.slice(start, start + length)));
    }
  }
  return best * 0.9;
}

/** The asked words stand in the name one after the other. */
function isPlainRun(asked: readonly string[], name: readonly string[]): boolean {
  if (asked.length > name.length) return false;
  for (let start = 0; start + asked.length <= name.length; start += 1) {
    if (asked.every((word, position) => name[start + position] === word && word.length > 1)) return true;
  }
  return false;
}

/** The last word of a name says what it is: "price" means unit_price, "unit" hardly does. */
function runScore(asked: readonly string[], name: readonly string[]): number {
  const core = name.filter((word) => !UNITS.has(word));
  const isHead = core.length === 0 || core.at(-1) === asked.at(-1);
  const part = asked.length / name.length;
  if (isHead) return 0.65 + 0.3 * part;
  return asked.length > 1 ? 0.6 + 0.3 * part : 0.35 + 0.1 * part;
}

const UNITS = new Set([
  "usd",
  "eur",
  "gbp",
  "kg",
  "cm",
  "c",
  "f",
  "pct",
  "percent",
  "id",
  "name",
  "hpa",
  "ms",
  "s",
]);

function fuzzyRun(asked: readonly string[], name: readonly string[]): boolean {
  return (
    asked.length === name.length &&
    asked.every((word, position) => {
      const intended = name[position] ?? "";
      return word === intended || isTypo(word, intended) || expand(word) === expand(intended);
    })
  );
}

function isPrefix(stem: string, word: string): boolean {
  if (stem.length < 4 || word.length < 4) return false;
  if (word.startsWith(stem) && stem.length >= word.length / 2) return true;
  if (stem.startsWith(word) && word.length >= stem.length / 2 && stem.length - word.length <= 5) return true;
  if (hasSameRoot(stem, word)) return true;
  // pclass, ecost: a letter put in front.
  return word.endsWith(stem) && word.length - stem.length <= 2;
}

/** "survival" and "survived". */
function hasSameRoot(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared >= 5 && shared >= 0.7 * Math.max(one.length, other.length);
}
