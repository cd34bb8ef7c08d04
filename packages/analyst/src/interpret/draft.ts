import type { ColumnProfile } from "@atoll/protocol";
import type { Group, Measure, Plan, PlanKind } from "../plan.ts";
import { isAdditive, isId, mainMeasure } from "../schema/roles.ts";
import { toGroup } from "./groups.ts";
import { defaultAggregate } from "./measures.ts";
import type { Slots } from "./slots.ts";

/** A request in the making: what it leaves out is filled in by `decide`. */
export type Draft = { kind: PlanKind } & Partial<Plan>;

/** Number columns in question, with or without an aggregate. */
export function measured(slots: Slots): ColumnProfile[] {
  return [
    ...new Set([
      ...slots.measures.flatMap((measure) => measure.column ?? []),
      ...slots.numbers,
      ...slots.byMeasures,
    ]),
  ];
}

export function measuresNamed(slots: Slots): readonly (Measure | ColumnProfile)[] {
  return [...slots.measures, ...slots.numbers, ...slots.byMeasures];
}

/** Measures as named, else the table's main one, else a count. */
export function measuresOf(slots: Slots, fallback: "sum" | "count"): Measure[] {
  const named = [...slots.measures];
  const bare = slots.bareAggregates;
  const columns = [...slots.byMeasures, ...slots.numbers].filter(
    (column) => !named.some((measure) => measure.column === column),
  );
  const main = mainMeasure(slots.source.columns, slots.source.rows);
  for (const column of columns) {
    const aggregates = bare.length > 0 ? bare : [defaultAggregate(column)];
    for (const aggregate of aggregates) named.push({ aggregate, column });
  }
  if (named.length > 0 && !(bare.length > 0 && columns.length === 0)) return named.slice(0, 4);
  if (bare.length > 0 && main !== undefined)
    return [...named, ...bare.map((aggregate): Measure => ({ aggregate, column: main }))];
  const flag = slots.flags.find((column) => !slots.groups.some((group) => group.column === column));
  if (flag !== undefined) return [{ aggregate: "rate", column: flag }];
  if (fallback === "count" || main === undefined || slots.hasRowNoun) return [{ aggregate: "count" }];
  return [{ aggregate: isAdditive(main) ? "sum" : "mean", column: main }];
}

export function allGroups(slots: Slots): Group[] {
  const subjects = slots.subjects
    .filter((subject) => !slots.groups.some((group) => group.column === subject))
    .map((subject) => toGroup(subject, slots.source));
  return [...subjects, ...slots.groups];
}

export function ranking(slots: Slots): Pick<Plan, "order"> & Partial<Pick<Plan, "limit" | "wantsOne">> {
  const isAscending = slots.rank?.direction === "bottom" || slots.concepts.has("ascending");
  // "which merchant has the most transactions" asks for one, though the word after "most" is a plural.
  const isWhich =
    slots.rank?.isExtreme === true && slots.concepts.has("which-ones") && slots.limit === undefined;
  const isOne = slots.rank?.wantsOne === true || isWhich;
  const limit = slots.limit ?? (slots.rank === undefined || isOne ? undefined : 10);
  const isNatural =
    slots.rank === undefined &&
    !slots.concepts.has("descending") &&
    !isAscending &&
    !slots.concepts.has("sort") &&
    isNumbered(slots);
  return {
    order: isNatural ? "natural" : isAscending ? "ascending" : "descending",
    ...(limit !== undefined && { limit }),
    ...(isOne && { wantsOne: true }),
  };
}

/** Ratings, classes and years have an order of their own. */
function isNumbered(slots: Slots): boolean {
  const [group] = allGroups(slots);
  return group?.kind === "column" && group.column.kind === "number" && !isId(group.column, slots.source.rows);
}
