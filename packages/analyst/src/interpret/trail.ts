import type { ColumnProfile } from "@atoll/protocol";
import type { Concept } from "../language/vocabulary.ts";
import { isGroupable, isMeasure } from "../schema/roles.ts";
import type { Source } from "../schema/source.ts";
import type { Mention, Reading } from "./reading.ts";

/** The mentions of a question while it is being interpreted: each is used by one part of the plan. */
export class Trail {
  readonly source: Source;
  readonly mentions: readonly Mention[];
  readonly #used = new Set<number>();

  constructor(reading: Reading) {
    this.source = reading.source;
    this.mentions = reading.mentions.map((mention, position) => settle(mention, position, reading));
  }

  use(...positions: number[]): void {
    for (const position of positions) this.#used.add(position);
  }

  isFree(position: number): boolean {
    return position >= 0 && position < this.mentions.length && !this.#used.has(position);
  }

  at(position: number): Mention | undefined {
    return this.mentions[position];
  }

  /** The next mention that is not a filler word; -1 at the end. */
  after(position: number): number {
    for (let next = position + 1; next < this.mentions.length; next += 1) {
      if (this.mentions[next]?.type !== "stop") return next;
    }
    return -1;
  }

  before(position: number): number {
    for (let previous = position - 1; previous >= 0; previous -= 1) {
      if (this.mentions[previous]?.type !== "stop") return previous;
    }
    return -1;
  }

  /** Free mentions of one type, with their positions. */
  *all<T extends Mention["type"]>(type: T): Generator<[number, Extract<Mention, { type: T }>]> {
    for (const [position, mention] of this.mentions.entries()) {
      if (mention.type === type && this.isFree(position))
        yield [position, mention as Extract<Mention, { type: T }>];
    }
  }

  *concepts(...wanted: Concept[]): Generator<[number, Concept]> {
    for (const [position, mention] of this.all("concept")) {
      if (wanted.includes(mention.concept)) yield [position, mention.concept];
    }
  }

  has(...wanted: Concept[]): boolean {
    return !this.concepts(...wanted).next().done;
  }

  isConcept(position: number, ...wanted: Concept[]): boolean {
    const mention = this.mentions[position];
    return mention?.type === "concept" && wanted.includes(mention.concept);
  }

  /** The column at a position, the best one that fits the use. */
  columnAt(position: number, use?: "number" | "group" | "date"): ColumnProfile | undefined {
    const mention = this.mentions[position];
    if (mention?.type !== "column") return undefined;
    return mention.columns.find(({ column }) => fits(column, use, this.source.rows))?.column;
  }
}

function fits(column: ColumnProfile, use: "number" | "group" | "date" | undefined, rows: number): boolean {
  if (use === undefined) return true;
  if (use === "date") return column.kind === "date";
  return use === "number" ? isMeasure(column, rows) : isGroupable(column);
}

/** A column "total" in "total sales": the word is the aggregate when another number follows. */
function settle(mention: Mention, position: number, reading: Reading): Mention {
  if (mention.type !== "column" || mention.concept === undefined) return mention;
  const aggregates: Concept[] = ["sum", "mean", "median", "count", "min", "max", "std"];
  if (!aggregates.includes(mention.concept)) return mention;
  const next = reading.mentions.slice(position + 1).find((other) => other.type !== "stop");
  const isFollowed = next?.type === "column" && next.columns[0]?.column.kind === "number";
  return isFollowed
    ? { type: "concept", concept: mention.concept, text: mention.text, words: mention.words }
    : mention;
}
