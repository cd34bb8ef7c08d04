import type { LogLine } from "../contract.ts";

/**
 * The readers of one thread and its latest lines. Readers that keep up share these lines and never ask the database;
 * one that falls behind further than they reach reads on from there.
 */
export class Channel {
  readonly #readers = new Set<Reader>();
  #recent: LogLine[] = [];
  #recentChars = 0;
  /** The id before the first of the recent lines. */
  #since: number;
  #isEnded = false;

  constructor(lastId: number) {
    this.#since = lastId;
  }

  get isUnused(): boolean {
    return this.#readers.size === 0;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  join(): Reader {
    const reader = new Reader();
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: Reader): void {
    this.#readers.delete(reader);
  }

  publish(lines: readonly LogLine[]): void {
    for (const line of lines) {
      this.#recent.push(line);
      this.#recentChars += line.json.length;
    }
    this.#trim();
    for (const reader of this.#readers) reader.wake();
  }

  end(): void {
    this.#isEnded = true;
    for (const reader of this.#readers) reader.wake();
  }

  /** The next lines after an id; undefined when they are only in the database. */
  after(id: number): readonly LogLine[] | undefined {
    if (id < this.#since) return undefined;
    const from = findFirstAfter(this.#recent, id);
    let chars = 0;
    let to = from;
    while (to < this.#recent.length && to - from < pageLimits.rows && chars < pageLimits.chars) {
      chars += this.#recent[to]?.json.length ?? 0;
      to += 1;
    }
    return this.#recent.slice(from, to);
  }

  /** Lets half of the lines go at once, so that the cost of it is spread over many. */
  #trim(): void {
    if (this.#recent.length <= maxRecentLines && this.#recentChars <= maxRecentChars) return;
    let drop = 0;
    while (
      drop < this.#recent.length - 1 &&
      (this.#recent.length - drop > maxRecentLines / 2 || this.#recentChars > maxRecentChars / 2)
    ) {
      this.#recentChars -= this.#recent[drop]?.json.length ?? 0;
      this.#since = this.#recent[drop]?.id ?? this.#since;
      drop += 1;
    }
    this.#recent = this.#recent.slice(drop);
  }
}

/** What a reader holds at once, from the database or from the recent lines. */
export const pageLimits = { rows: 128, chars: 64 * 1024 };
const maxRecentLines = 1024;
const maxRecentChars = 1024 * 1024;

/** Only told that there is more: what a slow reader has not read waits in the log, not in memory. */
export class Reader {
  #wake: (() => void) | undefined;

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function findFirstAfter(lines: readonly LogLine[], id: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((lines[middle]?.id ?? 0) <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
