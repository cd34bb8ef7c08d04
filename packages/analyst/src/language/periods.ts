import type { Period } from "../plan.ts";
import { addDays, addMonths, parseDay, toIso, weekdayOf } from "./days.ts";
import { MAX_QUESTION_CHARS, NUMBER_WORDS } from "./tokens.ts";
import { MONTH_NAMES, WEEKDAY_NAMES, findDates, textBefore, type DateAtom } from "./dates.ts";

export interface FoundPeriod {
  readonly start: number;
  readonly end: number;
  readonly period: Period;
}

/** First and last day of the data: "last month" is counted from there, never from today. */
export interface Calendar {
  readonly first: string;
  readonly last: string;
}

/** The spans of time that a question names, in the order of the text. */
export function findPeriods(question: string, calendar: Calendar): FoundPeriod[] {
  const text = question.slice(0, MAX_QUESTION_CHARS).toLowerCase();
  const relative = findRelative(text, calendar);
  const isFree = (start: number, end: number): boolean =>
    !relative.some((found) => start < found.end && found.start < end);
  const atoms = findDates(text).filter((atom) => isFree(atom.start, atom.end));
  const found = [...relative];
  for (let position = 0; position < atoms.length; position += 1) {
    const atom = atoms[position];
    if (atom === undefined) continue;
    const next = atoms[position + 1];
    if (next !== undefined && isRange(text, atom, next)) {
      found.push(toRange(text, atom, next, calendar));
      position += 1;
    } else found.push(toPeriod(text, atom, calendar));
  }
  found.push(...findWeekdays(text).filter((day) => isFree(day.start, day.end)));
  return found.toSorted((one, other) => one.start - other.start);
}

const UNITS: Readonly<Record<string, "day" | "week" | "month" | "quarter" | "year">> = {
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
  天: "day",
  日: "day",
  周: "week",
  星期: "week",
  个月: "month",
  月: "month",
  个季度: "quarter",
  季度: "quarter",
  年: "year",
};
const UNITS_ZH = { day: "天", week: "周", month: "个月", quarter: "个季度", year: "年" };
const COUNTS: Readonly<Record<string, number>> = {
  ...NUMBER_WORDS,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  十二: 12,
};

function findRelative(text: string, { last }: Calendar): FoundPeriod[] {
  const found: FoundPeriod[] = [];
  const several =
    /\b(?:in |over |during |for |within )?(?:the )?(?:last|past|recent|previous|latest|most recent)\s+(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(day|week|month|quarter|year)s?\b|(?:最近|近|过去|最后)(?:的)?\s*(\d{1,4}|[两三四五六七八九十]+)\s*(天|日|周|星期|个月|个季度|季度|年)/g;
  for (const match of text.matchAll(several)) {
    const words = match[1] ?? match[3] ?? "";
    const count = COUNTS[words] ?? Number(words);
    const unit = UNITS[match[2] ?? match[4] ?? ""] ?? "day";
    if (!Number.isFinite(count) || count < 1) continue;
    found.push({
      ...spanOf(match),
      period: {
        kind: "range",
        from: backFrom(last, count, unit),
        to: addDays(last, 1),
        label: `the last ${count} ${unit}${count === 1 ? "" : "s"} of the data (to ${last})`,
        labelZh: `数据最后${count}${UNITS_ZH[unit]}（截至 ${last}）`,
      },
    });
  }
  const one =
    /\b(?:in |during |for |over )?(?:the )?(last|past|previous|this|latest|current|most recent)\s+(week|month|quarter|year)\b(?!\s+of)|(上个?月|上周|上个?季度|去年|上一年|本月|这个月|今年|本年|本周|本季度|最近一个月|最近一年)/g;
  for (const match of text.matchAll(one)) {
    if (found.some((other) => match.index < other.end && other.start < match.index + match[0].length))
      continue;
    const isBefore = match[1] === "previous" || /^(上|去)/.test(match[3] ?? "") || match[1] === "last";
    const unit = WHOLE_UNITS[match[2] ?? ""] ?? chineseUnit(match[3] ?? "");
    found.push({ ...spanOf(match), period: wholeUnit(last, unit, isBefore) });
  }
  return found;
}

const WHOLE_UNITS: Readonly<Record<string, "week" | "month" | "quarter" | "year">> = {
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
};

function chineseUnit(text: string): "week" | "month" | "quarter" | "year" {
  if (text.includes("周")) return "week";
  if (text.includes("季")) return "quarter";
  return text.includes("月") ? "month" : "year";
}

function backFrom(last: string, count: number, unit: "day" | "week" | "month" | "quarter" | "year"): string {
  const after = addDays(last, 1);
  if (unit === "day") return addDays(after, -count);
  if (unit === "week") return addDays(after, -7 * count);
  return addMonths(after, -count * { month: 1, quarter: 3, year: 12 }[unit]);
}

/**
 * The calendar unit that the data ends in, or the one before. Data that ends with a whole unit ("to 31 December")
 * has that one as its last; else the last whole one is meant.
 */
function wholeUnit(last: string, unit: "week" | "month" | "quarter" | "year", isBefore: boolean): Period {
  let from = startOf(last, unit);
  const isComplete = addDays(last, 1) === after(from, unit);
  if (isBefore && !isComplete) from = startOf(addDays(from, -1), unit);
  const to = after(from, unit);
  const name = unit === "week" ? `the week of ${from}` : nameOf(from, unit);
  const nameZh = unit === "week" ? `${from} 当周` : nameOfZh(from, unit);
  return { kind: "range", from, to, label: name, labelZh: nameZh };
}

function startOf(iso: string, unit: "week" | "month" | "quarter" | "year"): string {
  const { year, month } = parseDay(iso) ?? { year: 1970, month: 1 };
  if (unit === "week") return addDays(iso, -weekdayOf(iso));
  if (unit === "month") return toIso(year, month, 1);
  if (unit === "quarter") return toIso(year, month - ((month - 1) % 3), 1);
  return toIso(year, 1, 1);
}

function after(from: string, unit: "week" | "month" | "quarter" | "year"): string {
  return unit === "week" ? addDays(from, 7) : addMonths(from, { month: 1, quarter: 3, year: 12 }[unit]);
}

function nameOf(from: string, unit: "month" | "quarter" | "year"): string {
  const { year, month } = parseDay(from) ?? { year: 1970, month: 1 };
  if (unit === "month") return `${MONTH_NAMES[month - 1] ?? ""} ${year}`;
  return unit === "quarter" ? `Q${Math.ceil(month / 3)} ${year}` : `${year}`;
}

function nameOfZh(from: string, unit: "month" | "quarter" | "year"): string {
  const { year, month } = parseDay(from) ?? { year: 1970, month: 1 };
  if (unit === "month") return `${year}年${month}月`;
  return unit === "quarter" ? `${year}年第${Math.ceil(month / 3)}季度` : `${year}年`;
}

function isRange(text: string, first: DateAtom, second: DateAtom): boolean {
  const between = text.slice(first.end, second.start).trim();
  if (/^(to|until|till|through|thru|–|—|-|~|至|到)$/.test(between)) return true;
  return (
    /^(and|和|与)$/.test(between) &&
    /(between|from|介于|在|从)\s*(the\s+)?$/.test(textBefore(text, first.start))
  );
}

function toRange(text: string, first: DateAtom, second: DateAtom, calendar: Calendar): FoundPeriod {
  // "March to May 2024": the year of the second is the year of both.
  const year = second.year ?? first.year ?? parseDay(calendar.last)?.year;
  const low = bounds(first.year === undefined && year !== undefined ? { ...first, year } : first, calendar);
  const high = bounds(
    second.year === undefined && year !== undefined ? { ...second, year } : second,
    calendar,
  );
  const [from, to] = low.from <= high.from ? [low.from, high.to] : [high.from, low.to];
  const prefix = /(between|from|介于|从|在)\s*(the\s+)?$/.exec(textBefore(text, first.start));
  return {
    start: first.start - (prefix?.[0].length ?? 0),
    end: second.end,
    period: {
      kind: "range",
      from,
      to,
      label: `${from} to ${addDays(to, -1)}`,
      labelZh: `${from} 至 ${addDays(to, -1)}`,
    },
  };
}

function toPeriod(text: string, atom: DateAtom, calendar: Calendar): FoundPeriod {
  const before =
    /(since|from|starting in|starting|after|later than|before|earlier than|prior to|until|till|up to|through|in|during|for|of|on|within|at|从|自)\s+(the\s+)?$|(从|自)$/.exec(
      textBefore(text, atom.start),
    );
  const suffix = /^\s*(以来|之后|以后|起|之前|以前|前|后)/.exec(text.slice(atom.end));
  const word = suffix?.[1] ?? before?.[1] ?? before?.[3] ?? "";
  const start = atom.start - (before?.[0].length ?? 0);
  const end = atom.end + (suffix?.[0].length ?? 0);
  const { from, to, label, labelZh } = bounds(atom, calendar);
  if (/^(since|from|starting|以来|起|从|自)/.test(word)) {
    return { start, end, period: { kind: "range", from, label: `since ${label}`, labelZh: `${labelZh}起` } };
  }
  if (/^(after|later|之后|以后|后)/.test(word)) {
    return {
      start,
      end,
      period: { kind: "range", from: to, label: `after ${label}`, labelZh: `${labelZh}之后` },
    };
  }
  if (/^(before|earlier|prior|之前|以前|前)/.test(word)) {
    return {
      start,
      end,
      period: { kind: "range", to: from, label: `before ${label}`, labelZh: `${labelZh}之前` },
    };
  }
  if (/^(until|till|up to|through)/.test(word)) {
    return { start, end, period: { kind: "range", to, label: `until ${label}`, labelZh: `截至${labelZh}` } };
  }
  if (
    atom.year === undefined &&
    atom.month !== undefined &&
    atom.day === undefined &&
    hasSeveral(atom.month, calendar)
  ) {
    const name = MONTH_NAMES[atom.month - 1] ?? "";
    const period = {
      kind: "months" as const,
      months: [atom.month],
      label: `${name} of every year`,
      labelZh: `每年${atom.month}月`,
    };
    return { start, end, period };
  }
  return { start, end, period: { kind: "range", from, to, label, labelZh } };
}

function hasSeveral(month: number, { first, last }: Calendar): boolean {
  const [start, end] = [parseDay(first), parseDay(last)];
  if (start === undefined || end === undefined) return false;
  const from = start.year + (start.month > month ? 1 : 0);
  const to = end.year - (end.month < month ? 1 : 0);
  return to > from;
}

function bounds(
  atom: DateAtom,
  { last }: Calendar,
): { from: string; to: string; label: string; labelZh: string } {
  const end = parseDay(last) ?? { year: 1970, month: 12, day: 31 };
  const startMonth = atom.month ?? (atom.quarter === undefined ? 1 : atom.quarter * 3 - 2);
  // Without a year, the latest one of the data that has it.
  const year = atom.year ?? (startMonth > end.month ? end.year - 1 : end.year);
  if (atom.day !== undefined && atom.month !== undefined) {
    const from = toIso(year, atom.month, atom.day);
    return { from, to: addDays(from, 1), label: from, labelZh: from };
  }
  const unit = atom.month !== undefined ? "month" : atom.quarter !== undefined ? "quarter" : "year";
  const from = toIso(year, startMonth, 1);
  return { from, to: after(from, unit), label: nameOf(from, unit), labelZh: nameOfZh(from, unit) };
}

function findWeekdays(text: string): FoundPeriod[] {
  const found: FoundPeriod[] = [];
  const pattern =
    /\b(?:on |during )?(?:the )?(weekends?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b|(周末|(?:周|星期)[一二三四五六日天])/g;
  for (const match of text.matchAll(pattern)) {
    const english = (match[1] ?? "").replace(/s$/, "");
    const chinese = match[2] ?? "";
    const isWeekend = english === "weekend" || chinese === "周末";
    const day =
      english === ""
        ? Math.min("一二三四五六日天".indexOf(chinese.at(-1) ?? ""), 6)
        : WEEKDAY_NAMES.findIndex((name) => name.toLowerCase() === english);
    if (!isWeekend && day < 0) continue;
    const days = isWeekend ? [5, 6] : [day];
    const label = isWeekend ? "weekends" : `${WEEKDAY_NAMES[day] ?? ""}s`;
    const labelZh = isWeekend ? "周末" : `周${"一二三四五六日"[day] ?? ""}`;
    found.push({ ...spanOf(match), period: { kind: "weekdays", days, label, labelZh } });
  }
  return found;
}

function spanOf(match: RegExpExecArray): { start: number; end: number } {
  return { start: match.index, end: match.index + match[0].length };
}
