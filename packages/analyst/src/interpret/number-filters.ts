import type { ColumnProfile } from "@atoll/protocol";
import { comparedWords } from "../language/adjectives.ts";
import { matchColumns, indexColumns } from "../schema/columns.ts";
import { isFlag, isGroupable, mainMeasure } from "../schema/roles.ts";
import type { Filter } from "../plan.ts";
import type { Trail } from "./trail.ts";

const OPERATORS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

/** "amount over 500", "between 10 and 20", "older than 30", "class 3", "500 or more". */
export function findNumberFilters(trail: Trail): Filter[] {
  return [...findBetween(trail), ...findComparisons(trail), ...findEquals(trail)];
}

function* findBetween(trail: Trail): Generator<Filter> {
  for (const [position] of trail.concepts("between")) {
    const first = trail.after(position);
    let second = trail.after(first);
    const joint = second;
    if (trail.isConcept(second, "and")) second = trail.after(second);
    const [low, high] = [trail.at(first), trail.at(second)];
    if (low?.type !== "number" || high?.type !== "number") continue;
    const column = columnFor(trail, position, second);
    if (column === undefined) continue;
    trail.use(position, first, joint, second);
    useUnit(trail, second + 1);
    yield {
      kind: "between",
      column,
      low: Math.min(low.value, high.value),
      high: Math.max(low.value, high.value),
    };
  }
}

function* findComparisons(trail: Trail): Generator<Filter> {
  for (const [position, concept] of trail.concepts("gt", "gte", "lt", "lte")) {
    const operator = OPERATORS[concept as keyof typeof OPERATORS];
    const isPostfix = /^(or|and) |以上|以下/.test(trail.at(position)?.text ?? "");
    const where = isPostfix ? trail.before(position) : trail.after(position);
    const number = trail.at(where);
    if (number?.type !== "number" || !trail.isFree(where)) continue;
    // "customers with more than 5 orders" counts rows of a group, which no filter of rows can.
    if (
      trail.at(trail.after(where))?.type === "row-noun" &&
      !isPostfix &&
      trail.at(trail.before(position))?.type !== "column"
    )
      continue;
    const column = columnFor(trail, Math.min(position, where), Math.max(position, where));
    if (column === undefined) continue;
    trail.use(position, where);
    useUnit(trail, where + 1);
    yield {
      kind: "compare",
      column,
      operator: isPostfix && operator === ">" ? ">=" : isPostfix && operator === "<" ? "<=" : operator,
      value: number.value,
    };
  }
}

/** "class 3", "class 1 or 2", "age 30 to 40", "first class". */
function* findEquals(trail: Trail): Generator<Filter> {
  for (const [position] of trail.all("column")) {
    const column = trail.columnAt(position);
    if (column === undefined) continue;
    const ordinal = ORDINALS[trail.at(position - 1)?.text.toLowerCase() ?? ""];
    if (ordinal !== undefined && column.kind === "number" && isGroupable(column) && holds(column, ordinal)) {
      trail.use(position - 1, position);
      yield { kind: "equals", column, values: [ordinal], isNegated: false };
      continue;
    }
    let where = trail.after(position);
    const isNegated = trail.isConcept(where, "not");
    if (trail.isConcept(where, "eq", "not")) where = trail.after(where);
    const first = trail.at(where);
    if (first?.type !== "number" || !trail.isFree(where)) continue;
    if (isCount(trail, where, column)) continue;
    const range = trail.at(trail.after(where));
    if (range?.type === "number" && isTo(trail, where + 1) && holds(column, first.value)) {
      trail.use(position, where, trail.after(where));
      yield {
        kind: "between",
        column,
        low: Math.min(first.value, range.value),
        high: Math.max(first.value, range.value),
      };
      continue;
    }
    const values = [...numbersFrom(trail, where)].flatMap((at) => valueAt(trail, at, column));
    if (values.length === 0) continue;
    trail.use(
      position,
      ...(isNegated || trail.isConcept(trail.after(position), "eq") ? [trail.after(position)] : []),
    );
    yield { kind: "equals", column, values, isNegated };
  }
}

const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  "1st": 1,
  "2nd": 2,
  "3rd": 3,
};

/** "transactions 10 largest": the number counts rows. */
function isCount(trail: Trail, where: number, column: ColumnProfile): boolean {
  const next = trail.after(where);
  return (
    trail.isConcept(next, "most", "least", "rows") ||
    (trail.at(next)?.type === "row-noun" && !isGroupable(column))
  );
}

function isTo(trail: Trail, position: number): boolean {
  return /^(to|-|–|~|到|至)$/.test(trail.at(position)?.text ?? "");
}

/** A number and those that "or" and "and" add to it. */
function* numbersFrom(trail: Trail, where: number): Generator<number> {
  yield where;
  const joint = trail.after(where);
  const next = trail.after(joint);
  if (trail.isConcept(joint, "and") && trail.at(next)?.type === "number" && trail.isFree(next)) {
    trail.use(joint);
    yield* numbersFrom(trail, next);
  }
}

function valueAt(trail: Trail, position: number, column: ColumnProfile): (string | number)[] {
  const number = trail.at(position);
  if (number?.type !== "number") return [];
  const isText = column.values?.includes(number.text) === true;
  if (!isText && !holds(column, number.value)) return [];
  trail.use(position);
  return [isText ? number.text : number.value];
}

function holds(column: ColumnProfile, value: number): boolean {
  return column.kind === "number" && Number(column.min) <= value && value <= Number(column.max);
}

/** "older than 30 years": a unit, not a split by year. */
function useUnit(trail: Trail, position: number): void {
  if (trail.isConcept(position, "year", "month", "week", "day", "hour", "quarter")) trail.use(position);
}

/** Of the words before, after, of the adjective itself, or the number the question is about. */
function columnFor(trail: Trail, start: number, end: number): ColumnProfile | undefined {
  const before = trail.before(start);
  const previous = trail.isConcept(before, "eq", "only") ? trail.before(before) : before;
  const named = trail.columnAt(previous, "number") ?? trail.columnAt(previous);
  if (named?.kind === "number") {
    // "average amount over 500" still averages the amount.
    if (!trail.isConcept(trail.before(previous), "mean", "sum", "median", "max", "min")) trail.use(previous);
    return named;
  }
  const following = trail.at(end + 1)?.type === "column" ? trail.columnAt(end + 1, "number") : undefined;
  if (following !== undefined) return following;
  const adjective = comparedWords((trail.at(start)?.words ?? []).join(" "));
  const index = indexColumns(trail.source.columns);
  for (const word of adjective ?? []) {
    const [best] = matchColumns([{ kind: "word", text: word, word, stem: word, start: 0, end: 0 }], index);
    if (best?.column.kind === "number") return best.column;
  }
  for (const [position] of trail.all("column")) {
    const column = trail.columnAt(position, "number");
    if (column !== undefined && !isFlag(column)) return column;
  }
  return ageOfPeople(trail, end) ?? mainMeasure(trail.source.columns, trail.source.rows);
}

const PEOPLE =
  /^(passengers?|people|persons?|employees?|customers?|patients?|students?|users?|men|women|males?|females?|children|adults?)$/;

/** "passengers under 18": of people, a bare number is an age. */
function ageOfPeople(trail: Trail, end: number): ColumnProfile | undefined {
  const number = trail.at(end) ?? trail.at(end - 1);
  const isAge = number?.type === "number" && number.value <= 120;
  const isAboutPeople = trail.mentions.some((mention) => mention.words.some((word) => PEOPLE.test(word)));
  return isAge && isAboutPeople
    ? trail.source.columns.find((column) => column.kind === "number" && /^age$/i.test(column.name))
    : undefined;
}
