/** A stretch of two sequences that is in both of them, or in one only. */
export interface Stretch<Item> {
  readonly kind: "same" | "removed" | "added";
  readonly items: readonly Item[];
}

/** Past this many comparisons two sequences count as different throughout. */
const MOST_CELLS = 4_000_000;

/** What turns one sequence into the other, with as much as possible kept. */
export function diff<Item>(before: readonly Item[], after: readonly Item[]): readonly Stretch<Item>[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const middle = compare(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return join([
    { kind: "same", items: before.slice(0, start) },
    ...middle,
    { kind: "same", items: before.slice(before.length - end) },
  ]);
}

/** Words and the spaces between them, so that joining them gives the text again. */
export function splitWords(text: string): readonly string[] {
  // Chinese has no spaces between words: each of its characters counts as one.
  return text.match(/[\u3400-\u9FFF]|[^\s\u3400-\u9FFF]+|\s+/g) ?? [];
}

/** A unified diff with three lines around each change, as people know it. */
export function diffLines(before: string, after: string): string {
  const stretches = diff(toLines(before), toLines(after));
  const signs = { same: " ", removed: "-", added: "+" };
  return stretches
    .flatMap(({ kind, items }, index) => {
      if (kind !== "same") return items.map((line) => signs[kind] + line);
      return shorten(items, { isFirst: index === 0, isLast: index === stretches.length - 1 });
    })
    .join("\n");
}

const AROUND = 3;

function shorten(
  lines: readonly string[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string[] {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const left = lines.length - head - tail;
  if (left <= 1) return lines.map((line) => ` ${line}`);
  return [
    ...lines.slice(0, head).map((line) => ` ${line}`),
    `@@ … ${left} @@`,
    ...lines.slice(lines.length - tail).map((line) => ` ${line}`),
  ];
}

function toLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** By the longest sequence that both have. */
function compare<Item>(before: readonly Item[], after: readonly Item[]): Stretch<Item>[] {
  if (before.length * after.length > MOST_CELLS) {
    return [
      { kind: "removed", items: before },
      { kind: "added", items: after },
    ];
  }
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const stretches: Stretch<Item>[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      stretches.push({ kind: "same", items: before.slice(row, row + 1) });
      row += 1;
      column += 1;
    } else if (
      column >= after.length ||
      (row < before.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      stretches.push({ kind: "removed", items: before.slice(row, row + 1) });
      row += 1;
    } else {
      stretches.push({ kind: "added", items: after.slice(column, column + 1) });
      column += 1;
    }
  }
  return stretches;
}

function join<Item>(stretches: readonly Stretch<Item>[]): Stretch<Item>[] {
  const joined: Stretch<Item>[] = [];
  for (const stretch of stretches) {
    const last = joined.at(-1);
    if (stretch.items.length === 0) continue;
    if (last?.kind === stretch.kind)
      joined[joined.length - 1] = { kind: last.kind, items: [...last.items, ...stretch.items] };
    else joined.push(stretch);
  }
  return joined;
}
