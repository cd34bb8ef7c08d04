import { hasChinese, toStem } from "./words.ts";

export interface Token {
  readonly kind: "word" | "number" | "quoted" | "operator";
  /** As it stands in the question. */
  readonly text: string;
  readonly word: string;
  readonly stem: string;
  readonly value?: number;
  readonly start: number;
  readonly end: number;
}

/** Of a question, this much is read. */
export const MAX_QUESTION_CHARS = 2_000;

const PIECES = new RegExp(
  [
    String.raw`"([^"\n]{1,100})"|“([^”\n]{1,100})”|「([^」\n]{1,100})」|(?<![\p{L}\p{N}])'([^'\n]{1,100})'(?![\p{L}\p{N}])`,
    String.raw`(?<![\p{L}\p{N}_])(-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?:\s?(k|m|bn|thousand|million|billion|万|亿)(?![\p{L}\p{N}_]))?(?=[^\d_]|$)`,
    String.raw`(>=|<=|!=|<>|==|>|<|=|≥|≤|≠|%)`,
    String.raw`([\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)?)`,
    String.raw`(,|，|、|&|\+|-(?=\s)|:)`,
  ].join("|"),
  "giu",
);

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
  万: 1e4,
  亿: 1e8,
};

export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  fifty: 50,
  hundred: 100,
  thousand: 1000,
};

/** Words, numbers, quotations and operators. Chinese runs are cut by `dictionary`, longest entry first. */
export function tokenize(question: string, dictionary: ReadonlySet<string>): Token[] {
  const text = question.slice(0, MAX_QUESTION_CHARS);
  const tokens: Token[] = [];
  for (const match of text.matchAll(PIECES)) {
    const start = match.index;
    const whole = match[0];
    const quoted = match[1] ?? match[2] ?? match[3] ?? match[4];
    if (quoted !== undefined) tokens.push(make("quoted", quoted, start, start + whole.length));
    else if (match[5] !== undefined) tokens.push(number(whole, match[5], match[6], start));
    else if (match[7] !== undefined) tokens.push(make("operator", whole, start, start + whole.length));
    else if (match[8] !== undefined && hasChinese(whole)) tokens.push(...segment(whole, start, dictionary));
    else if (match[8] !== undefined) tokens.push(word(whole, start));
    else tokens.push(make("operator", whole, start, start + whole.length));
  }
  return tokens;
}

function make(kind: Token["kind"], text: string, start: number, end: number): Token {
  const lower = text.normalize("NFKC").toLowerCase();
  return { kind, text, word: lower, stem: toStem(lower), start, end };
}

function number(whole: string, digits: string, scale: string | undefined, start: number): Token {
  const value = Number(digits.replaceAll(",", "")) * (SCALES[scale?.toLowerCase() ?? ""] ?? 1);
  return { ...make("number", whole, start, start + whole.length), value };
}

function word(text: string, start: number): Token {
  const bare = text.replace(/['’]s$/i, "");
  const token = make("word", bare, start, start + text.length);
  const value = NUMBER_WORDS[token.word];
  return value === undefined ? token : { ...token, kind: "number", value };
}

const CHINESE_DIGITS: Readonly<Record<string, number>> = {
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
};

function segment(run: string, start: number, dictionary: ReadonlySet<string>): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < run.length) {
    const rest = run.slice(position);
    const latin = /^[a-z]+/i.exec(rest)?.[0];
    const digits = /^\d+(?:\.\d+)?(?:[万亿])?/.exec(rest)?.[0];
    const entry = latin === undefined && digits === undefined ? longestEntry(rest, dictionary) : undefined;
    const piece = entry ?? digits ?? latin ?? [...rest][0] ?? rest;
    const at = start + position;
    if (digits !== undefined)
      tokens.push(number(piece, piece.replace(/[万亿]$/, ""), /[万亿]$/.exec(piece)?.[0], at));
    else if (entry === undefined && CHINESE_DIGITS[piece] !== undefined) {
      tokens.push({ ...make("number", piece, at, at + piece.length), value: CHINESE_DIGITS[piece] });
    } else tokens.push(make("word", piece, at, at + piece.length));
    position += piece.length;
  }
  return tokens;
}

const MAX_ENTRY_CHARS = 24;

function longestEntry(rest: string, dictionary: ReadonlySet<string>): string | undefined {
  for (let length = Math.min(rest.length, MAX_ENTRY_CHARS); length >= 1; length -= 1) {
    const entry = rest.slice(0, length);
    if (dictionary.has(entry.toLowerCase())) return entry;
  }
  return undefined;
}
