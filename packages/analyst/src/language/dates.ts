/** A day, month, quarter or year as it is written, e.g. `March 2024`, `Q2`, `2024-01-15`. */
export interface DateAtom {
  readonly start: number;
  readonly end: number;
  readonly year?: number;
  readonly quarter?: number;
  readonly month?: number;
  readonly day?: number;
}

export const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export const WEEKDAY_NAMES = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;

const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const YEAR = String.raw`((?:19|20)\d{2})`;

interface Form {
  readonly pattern: RegExp;
  read(groups: readonly (string | undefined)[]): Omit<DateAtom, "start" | "end"> | undefined;
}

/** Longer forms first: what one has taken, the next ones leave alone. */
const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(String.raw`\b${YEAR}[-/.](\d{1,2})[-/.](\d{1,2})\b`, "g"),
    read: ([year, month, day]) => day3(year, month, day),
  },
  {
    pattern: new RegExp(String.raw`${YEAR}\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]`, "g"),
    read: ([year, month, day]) => day3(year, month, day),
  },
  {
    pattern: new RegExp(String.raw`\b${MONTH}\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+${YEAR}\b`, "g"),
    read: ([month, day, year]) => day3(year, monthNumber(month), day),
  },
  {
    pattern: new RegExp(String.raw`\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?${MONTH}\.?,?\s+${YEAR}\b`, "g"),
    read: ([day, month, year]) => day3(year, monthNumber(month), day),
  },
  {
    pattern: new RegExp(String.raw`${YEAR}\s*年\s*(\d{1,2})\s*月`, "g"),
    read: ([year, month]) => month2(year, month),
  },
  {
    pattern: new RegExp(String.raw`\b${YEAR}[-/](\d{1,2})\b(?![-/]\d)`, "g"),
    read: ([year, month]) => month2(year, month),
  },
  {
    pattern: new RegExp(String.raw`\b${MONTH}\.?,?\s+(?:of\s+)?${YEAR}\b`, "g"),
    read: ([month, year]) => month2(year, monthNumber(month)),
  },
  {
    pattern: new RegExp(String.raw`${YEAR}\s*年\s*(?:第\s*)?([1-4一二三四])\s*季度`, "g"),
    read: ([year, quarter]) => ({ year: Number(year), quarter: quarterNumber(quarter) }),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:q([1-4])|(first|second|third|fourth) quarter)(?:\s+of)?\s*(?:,\s*)?${YEAR}\b`,
      "g",
    ),
    read: ([digit, word, year]) => ({ year: Number(year), quarter: quarterNumber(digit ?? word) }),
  },
  {
    pattern: new RegExp(String.raw`\b${YEAR}\s*(?:-\s*)?q([1-4])\b`, "g"),
    read: ([year, quarter]) => ({ year: Number(year), quarter: quarterNumber(quarter) }),
  },
  { pattern: /\bq([1-4])\b/g, read: ([quarter]) => ({ quarter: quarterNumber(quarter) }) },
  {
    pattern: /\b(first|second|third|fourth) quarter\b|第([一二三四1-4])季度/g,
    read: ([word, chinese]) => ({ quarter: quarterNumber(word ?? chinese) }),
  },
  {
    pattern: new RegExp(
      String.raw`\b(?:in|during|for|of|since|from|to|before|after|until|till|through|by|and|vs|versus|between|last|,)\s+${MONTH}\b\.?(?!\s*\d)`,
      "g",
    ),
    read: ([month]) => ({ month: monthNumber(month) }),
  },
  // "may" and "march" are also verbs, so they need one of the words above.
  {
    pattern: /\b(january|february|april|june|july|august|september|october|november|december)\b/g,
    read: ([month]) => ({ month: monthNumber(month) }),
  },
  {
    pattern: /(?<![\d个])(\d{1,2})\s*月(?:份)?|(十一|十二|十|[一二三四五六七八九])月(?:份)?/g,
    read: ([digits, chinese]) => month2(undefined, digits ?? chineseNumber(chinese)),
  },
  {
    pattern: new RegExp(String.raw`(?<![\d.,$€£¥_-])${YEAR}(?:\s*年)?(?![\d.,%_]\d|[\d%_])`, "g"),
    read: ([year]) => ({ year: Number(year) }),
  },
];

/** Dates in lower-case text, in its order. Numbers that only look like years are left to the caller. */
export function findDates(text: string): DateAtom[] {
  const atoms: DateAtom[] = [];
  for (const { pattern, read } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const parts = read(match.slice(1));
      if (parts === undefined) continue;
      // A leading preposition belongs to the caller.
      const lead =
        /^(?:in|during|for|of|since|from|to|before|after|until|till|through|by|and|vs|versus|between|last|,)\s+/.exec(
          match[0],
        );
      const start = match.index + (lead?.[0].length ?? 0);
      const end = match.index + match[0].trimEnd().length;
      if (atoms.some((atom) => start < atom.end && atom.start < end)) continue;
      if (parts.month === undefined && parts.quarter === undefined && isCount(text, start, end)) continue;
      atoms.push({ start, end, ...parts });
    }
  }
  return atoms.toSorted((one, other) => one.start - other.start);
}

/** "over 2000", "2000 rows": a number of something, not a year. */
function isCount(text: string, start: number, end: number): boolean {
  const before = textBefore(text, start);
  if (/(over|above|under|below|than|least|most|top|first|last|exceed\w{0,5}|[<>=])\s*$/.test(before))
    return true;
  if (/(大于|超过|高于|小于|低于|少于|多于)\s*$/.test(before)) return true;
  return /^\s*(rows|records|entries|dollars|usd|eur|euros|items|people|units|元|条|个)/.test(text.slice(end));
}

/** The last few words before a place: more is not looked at for each of many dates. */
export function textBefore(text: string, end: number): string {
  return text.slice(Math.max(0, end - 40), end);
}

function day3(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
): ReturnType<Form["read"]> {
  const parts = { year: Number(year), month: Number(month), day: Number(day) };
  return parts.month >= 1 && parts.month <= 12 && parts.day >= 1 && parts.day <= 31 ? parts : undefined;
}

function month2(year: string | undefined, month: string | number | undefined): ReturnType<Form["read"]> {
  const number = Number(month);
  if (!(number >= 1 && number <= 12)) return undefined;
  return year === undefined ? { month: number } : { year: Number(year), month: number };
}

function monthNumber(name: string | undefined): number {
  const short = (name ?? "").slice(0, 3);
  return MONTH_NAMES.findIndex((month) => month.slice(0, 3).toLowerCase() === short) + 1;
}

function quarterNumber(text: string | undefined): number {
  const words = ["first", "second", "third", "fourth"];
  const position = words.indexOf(text ?? "");
  if (position >= 0) return position + 1;
  const chinese = "一二三四".indexOf(text ?? "?");
  return chinese >= 0 ? chinese + 1 : Number(text);
}

function chineseNumber(text: string | undefined): number {
  const position = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"].indexOf(
    text ?? "",
  );
  return position + 1;
}
