import { type ColumnProfile, isTextual } from "@atoll/protocol";
import { conceptOf, isStopWord } from "../language/vocabulary.ts";
import { isRowNoun } from "../language/synonyms.ts";
import type { Token } from "../language/tokens.ts";
import { isTypo, splitName, toStem } from "../language/words.ts";

export interface ScoredValue {
  readonly column: ColumnProfile;
  readonly value: string;
  readonly score: number;
}

interface ValueEntry {
  readonly column: ColumnProfile;
  readonly value: string;
  readonly lower: string;
  readonly stems: readonly string[];
}

export interface ValueIndex {
  readonly byStems: ReadonlyMap<string, readonly ValueEntry[]>;
  /** Values by each of their words. */
  readonly byWord: ReadonlyMap<string, readonly ValueEntry[]>;
  readonly singles: readonly ValueEntry[];
}

export function indexValues(columns: readonly ColumnProfile[]): ValueIndex {
  const byStems = new Map<string, ValueEntry[]>();
  const byWord = new Map<string, ValueEntry[]>();
  const singles: ValueEntry[] = [];
  for (const column of columns) {
    if (!isTextual(column.kind)) continue;
    for (const entry of entriesOf(column)) {
      const { stems } = entry;
      push(byStems, stems.join(" "), entry);
      if (stems.length === 1) singles.push(entry);
      else for (const stem of new Set(stems)) push(byWord, stem, entry);
    }
  }
  return { byStems, byWord, singles };
}

const known = new WeakMap<ColumnProfile, readonly ValueEntry[]>();

/** Made once a column, which is in every join of its table. */
function entriesOf(column: ColumnProfile): readonly ValueEntry[] {
  const entries =
    known.get(column) ??
    (column.values ?? []).flatMap((value) => {
      const lower = value.normalize("NFKC").trim().toLowerCase();
      const stems = splitName(value).map((word) => toStem(word));
      return lower === "" ? [] : [{ column, value, lower, stems }];
    });
  known.set(column, entries);
  return entries;
}

/** Values that a few neighbouring words can mean, best first. */
export function matchValues(words: readonly Token[], index: ValueIndex): ScoredValue[] {
  const stems = words.flatMap((token) =>
    token.kind === "quoted" ? splitName(token.text).map((word) => toStem(word)) : [token.stem],
  );
  const exact = index.byStems.get(stems.join(" ")) ?? [];
  const isQuoted = words.some((token) => token.kind === "quoted");
  const spoken = words.map((token) => token.text).join(" ");
  if (exact.length > 0) {
    if (!isQuoted && isEverydayWord(words, spoken, exact)) return [];
    return exact.map((entry) => ({
      ...pick(entry),
      score: entry.lower === spoken.toLowerCase() ? 0.95 : 0.93,
    }));
  }
  const [only] = stems;
  if (words.length !== 1 || only === undefined || isQuoted) return [];
  return matchWord(only, index);
}

function matchWord(stem: string, index: ValueIndex): ScoredValue[] {
  const named = GENDERS[stem];
  if (named !== undefined) {
    const gender = index.singles.find((entry) => named.includes(entry.lower));
    if (gender !== undefined) return [{ ...pick(gender), score: 0.85 }];
  }
  if (stem.length < 4 || isStopWord(stem) || conceptOf(stem) !== undefined || isRowNoun(stem)) return [];
  const typo = index.singles.filter((entry) => stem.length >= 6 && isTypo(stem, entry.stems[0] ?? ""));
  if (typo.length > 0) return typo.map((entry) => ({ ...pick(entry), score: 0.6 }));
  const partial = index.byWord.get(stem) ?? [];
  // One value only: a word that several values share says "contains", not "equals".
  return partial.length === 1 ? partial.map((entry) => ({ ...pick(entry), score: 0.5 })) : [];
}

/** Chinese words for them, which cut a sentence like the vocabulary does. */
export const GENDER_WORDS = ["男性", "女性"];

const GENDERS: Readonly<Record<string, readonly string[]>> = {
  man: ["male", "m", "man", "男"],
  male: ["male", "m", "man", "男"],
  woman: ["female", "f", "woman", "w", "女"],
  female: ["female", "f", "woman", "w", "女"],
  男性: ["男", "male", "m"],
  女性: ["女", "female", "f"],
};

/** "no", "a", "top" and the like are values only when they are written as the value is. */
function isEverydayWord(words: readonly Token[], spoken: string, exact: readonly ValueEntry[]): boolean {
  const [token] = words;
  if (words.length !== 1 || token === undefined) return false;
  const isEveryday =
    isStopWord(token.word) || conceptOf(token.word) !== undefined || /^[a-z0-9]$/.test(token.word);
  if (!isEveryday) return false;
  const isAsWritten = exact.some((entry) => entry.value === spoken);
  return !isAsWritten || token.start === 0 || spoken === spoken.toLowerCase();
}

function pick(entry: ValueEntry): { column: ColumnProfile; value: string } {
  return { column: entry.column, value: entry.value };
}

function push(map: Map<string, ValueEntry[]>, key: string, entry: ValueEntry): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}
