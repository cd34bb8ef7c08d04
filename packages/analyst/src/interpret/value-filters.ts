import { type ColumnProfile, isTextual } from "@atoll/protocol";
import type { Filter } from "../plan.ts";
import { isFlag, mainDate } from "../schema/roles.ts";
import type { ScoredValue } from "../schema/values.ts";
import type { Trail } from "./trail.ts";

/** Values, spans of time and pieces of text that the question names. */
export function findValueFilters(trail: Trail): Filter[] {
  return merge([...findContains(trail), ...findValues(trail), ...findPeriods(trail), ...findQuoted(trail)]);
}

function* findValues(trail: Trail): Generator<Filter> {
  let wasNegated = false;
  for (const [position, mention] of trail.all("value")) {
    const chosen = chooseValue(trail, position, mention.values);
    const before = trail.before(position);
    const isListed = trail.isConcept(before, "and") && trail.at(trail.before(before))?.type === "value";
    const named = trail.columnAt(before) === chosen.column ? before : -1;
    const lead = named >= 0 ? trail.before(named) : before;
    const isNegated: boolean = isListed ? wasNegated : isNot(trail, lead) || isNot(trail, before);
    wasNegated = isNegated;
    trail.use(position);
    if (isNot(trail, lead)) trail.use(lead);
    if (isNot(trail, before)) trail.use(before);
    useName(trail, position, named, chosen.column);
    yield { kind: "equals", column: chosen.column, values: [chosen.value], isNegated };
  }
}

/** Among columns that share the value, the one that the question names beside it. */
function chooseValue(trail: Trail, position: number, values: readonly ScoredValue[]): ScoredValue {
  const before = trail.before(position);
  const beside = [before, trail.before(before), trail.after(position)].map((near) => trail.columnAt(near));
  return values.find((scored) => beside.includes(scored.column)) ?? values[0]!;
}

/** "city Chicago" and "the Chicago city" name the column only to say what the value is. */
function useName(trail: Trail, position: number, named: number, column: ColumnProfile): void {
  if (named >= 0 && !trail.isConcept(trail.before(named), "by")) trail.use(named);
  const after = position + 1;
  if (trail.columnAt(after) === column && !trail.isConcept(trail.after(after), "not")) trail.use(after);
}

function isNot(trail: Trail, position: number): boolean {
  return trail.isConcept(position, "not");
}

function* findPeriods(trail: Trail): Generator<Filter> {
  for (const [position, mention] of trail.all("period")) {
    const named = trail.columnAt(trail.before(position), "date");
    const column = named ?? mainDate(trail.source.columns);
    if (column === undefined) continue;
    const before = trail.before(position);
    const isNegated = isNot(trail, before);
    trail.use(position);
    if (isNegated) trail.use(before);
    if (named !== undefined) trail.use(before);
    yield { kind: "period", column, period: mention.period, isNegated };
  }
}

/** "merchant contains cafe": the words after it, as far as they mean nothing else. */
function* findContains(trail: Trail): Generator<Filter> {
  for (const [position] of trail.concepts("contains")) {
    const before = trail.before(position);
    const isNegated = isNot(trail, before);
    const named = trail.columnAt(isNegated ? trail.before(before) : before);
    const words: string[] = [];
    let next = trail.after(position);
    const first = next;
    while (isText(trail, next) && (words.length === 0 || next === first + words.length)) {
      words.push(trail.at(next)?.text ?? "");
      trail.use(next);
      next += 1;
    }
    const text = words.join(" ").trim();
    const column = named ?? textColumn(trail, text);
    if (text === "" || column === undefined) continue;
    trail.use(position);
    if (isNegated) trail.use(before);
    yield { kind: "contains", column, text, isNegated };
  }
}

function isText(trail: Trail, position: number): boolean {
  const type = trail.at(position)?.type;
  return (
    trail.isFree(position) &&
    (type === "unknown" || type === "quoted" || type === "value" || type === "row-noun")
  );
}

/** A quotation that is no known value: equal to it in the column before it, else somewhere in a text. */
function* findQuoted(trail: Trail): Generator<Filter> {
  for (const [position, mention] of trail.all("quoted")) {
    let before = trail.before(position);
    const isNegated = isNot(trail, before);
    if (trail.isConcept(before, "eq", "not", "only")) before = trail.before(before);
    const named = trail.columnAt(before);
    if (named !== undefined) {
      trail.use(position, before);
      yield { kind: "equals", column: named, values: [mention.text], isNegated };
      continue;
    }
    const column = textColumn(trail, mention.text);
    if (column === undefined) continue;
    trail.use(position);
    yield { kind: "contains", column, text: mention.text, isNegated };
  }
}

/**
 * The column a piece of text is looked for in: one of whose known values has it, else one of which not all values are
 * known.
 */
export function textColumn(trail: Trail, text: string): ColumnProfile | undefined {
  const texts = trail.source.columns.filter((column) => isTextual(column.kind));
  const lower = text.toLowerCase();
  const having = texts.find((column) => column.values?.some((value) => value.toLowerCase().includes(lower)));
  return having ?? texts.find((column) => (column.distinct ?? 0) > (column.values?.length ?? 0));
}

/** "passengers without cabin", "with no email": the column is empty. */
export function findAbsences(trail: Trail): Filter[] {
  const found: Filter[] = [];
  for (const [position] of trail.concepts("not")) {
    const next = trail.after(position);
    const column = trail.columnAt(next);
    const isAbsence = /^(without|no|没有|缺少)$/.test(trail.at(position)?.words.join(" ") ?? "");
    if (!isAbsence || column === undefined || isFlag(column) || column.missing === 0) continue;
    trail.use(position, next);
    found.push({ kind: "missing", column, isNegated: false });
  }
  return found;
}

/** A yes/no column that the question names as a property: "active employees", "who survived", "not churned". */
export function findFlagFilters(trail: Trail): Filter[] {
  const found: Filter[] = [];
  if (trail.has("share", "rate", "correlation", "distribution", "missing", "describe")) return found;
  for (const [position] of trail.all("column")) {
    const column = trail.columnAt(position);
    if (column === undefined || !isFlag(column)) continue;
    const before = trail.before(position);
    const isGrouped =
      trail.isConcept(before, "by") ||
      (trail.isConcept(before, "and") && trail.isConcept(trail.before(trail.before(before)), "by"));
    const hasSubject =
      trail.has("count", "rows", "list", "only", "not") ||
      [...trail.all("row-noun")].length > 0 ||
      otherColumns(trail, position);
    const isAveraged = trail.has("mean") && !otherColumns(trail, position);
    if (isGrouped || isAveraged || !hasSubject) continue;
    const isNegated = isNot(trail, before);
    trail.use(position);
    if (isNegated) trail.use(before);
    const yes = column.kind === "boolean" ? true : 1;
    const no = column.kind === "boolean" ? false : 0;
    found.push({ kind: "equals", column, values: [isNegated ? no : yes], isNegated: false });
  }
  return found;
}

function otherColumns(trail: Trail, position: number): boolean {
  return [...trail.all("column")].some(
    ([other]) =>
      other !== position && trail.columnAt(other, "number") !== undefined && !isFlag(trail.columnAt(other)!),
  );
}

/** Several values of one column mean any of them. */
function merge(filters: readonly Filter[]): Filter[] {
  const merged: Filter[] = [];
  for (const filter of filters) {
    const same = merged.findIndex(
      (other) =>
        other.kind === "equals" &&
        filter.kind === "equals" &&
        other.column === filter.column &&
        other.isNegated === filter.isNegated,
    );
    const other = merged[same];
    if (other?.kind === "equals" && filter.kind === "equals") {
      merged[same] = { ...other, values: [...new Set([...other.values, ...filter.values])] };
    } else merged.push(filter);
  }
  return merged;
}
