import type { ColumnProfile } from "@atoll/protocol";
import { mainDate } from "../schema/roles.ts";
import { toStem } from "../language/words.ts";
import type { Trail } from "./trail.ts";

export interface Rank {
  readonly direction: "top" | "bottom";
  /** "highest", "largest": may also mean the greatest value itself. */
  readonly isExtreme: boolean;
  readonly wantsOne: boolean;
  /** Both ends are asked for: "highest and lowest". */
  readonly isBoth: boolean;
  /** By a date: "latest". */
  readonly byDate?: ColumnProfile;
}

export interface FoundRank {
  readonly rank?: Rank;
  readonly limit?: number;
  /** The column that a superlative names: "oldest". */
  readonly column?: ColumnProfile;
  /** A superlative for which the table has no column. */
  readonly unmatched?: string;
}

/** "top 5", "the 10 largest", "lowest", "oldest", "first 20 rows". */
export function findRank(trail: Trail): FoundRank {
  const superlative = trail.all("superlative").next().value;
  if (superlative !== undefined) {
    const [position, mention] = superlative;
    trail.use(position);
    const limit = limitNear(trail, position);
    const { direction, isDate } = mention.superlative;
    const next = trail.after(position);
    const named = trail.columnAt(next, "date");
    const byDate = isDate === true ? (named ?? mainDate(trail.source.columns)) : named;
    if (named !== undefined) trail.use(next);
    const isOld = mention.superlative.columnWords.includes("age") && byDate !== undefined;
    const isKnown =
      byDate !== undefined || mention.column !== undefined || trail.columnAt(next, "number") !== undefined;
    if (!isKnown) return { unmatched: mention.text };
    return {
      rank: {
        direction: isOld ? (direction === "top" ? "bottom" : "top") : direction,
        isExtreme: true,
        wantsOne: limit === undefined && !isPlural(trail, next),
        isBoth: false,
        ...(byDate && { byDate }),
      },
      ...(limit !== undefined && { limit }),
      ...(mention.column && { column: mention.column.column }),
    };
  }
  const found = [...trail.concepts("top-n", "bottom-n", "most", "least")];
  const [first] = found;
  if (first === undefined) return withoutRank(trail);
  const [position, concept] = first;
  const limit = limitNear(trail, position);
  trail.use(...found.map(([each]) => each));
  const isTop = concept === "top-n" || concept === "most";
  const isExtreme = concept === "most" || concept === "least";
  const isBoth = found.some(([, other]) => other === "most") && found.some(([, other]) => other === "least");
  const wantsOne =
    limit === undefined &&
    (isExtreme ? !isPlural(trail, trail.after(position)) : isSingular(trail, position));
  return {
    rank: { direction: isTop ? "top" : "bottom", isExtreme, wantsOne, isBoth },
    ...(limit !== undefined && { limit }),
  };
}

/** "first 10 rows", "show 20 rows", "10 transactions". */
function withoutRank(trail: Trail): FoundRank {
  for (const [position, mention] of trail.all("number")) {
    const before = trail.before(position);
    const isCounted =
      trail.isConcept(before, "first", "last", "rows", "list") ||
      isRowWord(trail, trail.after(position)) ||
      isRowWord(trail, position + 1);
    if (!isCounted || !Number.isInteger(mention.value) || mention.value < 1) continue;
    trail.use(position);
    return { limit: Math.min(mention.value, 10_000) };
  }
  return {};
}

function isRowWord(trail: Trail, position: number): boolean {
  return trail.at(position)?.type === "row-noun" || trail.isConcept(position, "rows");
}

function limitNear(trail: Trail, position: number): number | undefined {
  for (const near of [trail.after(position), trail.before(position), trail.after(trail.after(position))]) {
    const mention = trail.at(near);
    if (mention?.type !== "number" || !trail.isFree(near)) continue;
    if (near > trail.after(position) && trail.at(trail.after(position))?.type !== "column") continue;
    if (!Number.isInteger(mention.value) || mention.value < 1) continue;
    trail.use(near);
    return Math.min(mention.value, 10_000);
  }
  return undefined;
}

/** "largest transactions" asks for several rows. */
function isPlural(trail: Trail, position: number): boolean {
  // "most experienced employees"
  const noun = trail.at(position)?.type === "column" ? trail.after(position) : position;
  const mention = trail.at(noun);
  const word = mention?.words.at(-1);
  return mention?.type === "row-noun" && word !== undefined && toStem(word) !== word;
}

/** "the top category" asks for one, "top categories" for some. */
function isSingular(trail: Trail, position: number): boolean {
  const next = trail.at(trail.after(position));
  const word = next?.type === "column" ? next.words.at(-1) : undefined;
  return word !== undefined && /^[a-z]+$/.test(word) && toStem(word) === word;
}
