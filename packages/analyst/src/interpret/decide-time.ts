import type { Group } from "../plan.ts";
import { mainDate } from "../schema/roles.ts";
import { fittingGrain, toGroup } from "./groups.ts";
import type { Slots } from "./slots.ts";
import { allGroups, type Draft, measuresOf, ranking } from "./draft.ts";

export function decideTrend(slots: Slots): Draft | undefined {
  const date = slots.dates[0] ?? mainDate(slots.source.columns);
  const timed = slots.groups.find((group) => group.kind === "time" || group.kind === "cycle");
  const years = slots.groups.find((group) => group.kind === "column" && group.column.kind === "number");
  if (timed === undefined && date === undefined) {
    return years && { kind: "groups", groups: [years], measures: measuresOf(slots, "sum"), order: "natural" };
  }
  const time: Group = timed ?? {
    kind: "time",
    column: date!,
    grain: fittingGrain(slots.source, slots.filters),
  };
  const rest = allGroups(slots).filter((group) => group.kind !== "time" && group.kind !== "cycle");
  const measures = measuresOf(slots, "sum");
  if (time.kind === "cycle")
    return { kind: "groups", groups: [time, ...rest].slice(0, 2), measures, order: "natural" };
  const isCumulative = slots.concepts.has("cumulative");
  return {
    kind: "trend",
    groups: [time, ...rest.slice(0, 1)],
    measures,
    order: "natural",
    ...(isCumulative && { isCumulative }),
  };
}

export function decideGrowth(slots: Slots): Draft | undefined {
  const timed = slots.groups.find((group) => group.kind === "time");
  const date = mainDate(slots.source.columns);
  if (date === undefined) return undefined;
  const rest = [
    ...slots.groups.filter((group) => group.kind !== "time" && group.kind !== "cycle"),
    ...slots.subjects.map((subject) => toGroup(subject, slots.source)),
  ];
  const asked = slots.concepts.has("year-over-year")
    ? "year"
    : slots.concepts.has("month-over-month")
      ? "month"
      : undefined;
  const fitting = fittingGrain(slots.source, slots.filters);
  const grain =
    timed?.kind === "time" ? timed.grain : (asked ?? (rest.length > 0 || hasYears(slots) ? "year" : fitting));
  const groups: Group[] = [{ kind: "time", column: timed?.column ?? date, grain }, ...rest.slice(0, 1)];
  return { kind: "growth", groups, measures: measuresOf(slots, "sum"), ...ranking(slots) };
}

/** "from 2024 to 2025" is a step of years. */
function hasYears(slots: Slots): boolean {
  return slots.filters.some(
    (filter) =>
      filter.kind === "period" &&
      filter.period.kind === "range" &&
      filter.period.from?.endsWith("-01-01") === true &&
      filter.period.to?.endsWith("-01-01") === true &&
      Number(filter.period.to?.slice(0, 4)) - Number(filter.period.from?.slice(0, 4)) >= 2,
  );
}
