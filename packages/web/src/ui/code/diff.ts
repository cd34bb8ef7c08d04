import { diffArrays } from "diff";

/** A run of items that both sequences have, or only one of them. */
export interface Stretch<Item> {
  readonly kind: "same" | "removed" | "added";
  readonly items: readonly Item[];
}

/** Beyond this many edits two sequences count as different throughout: more would block the page. */
const MAX_EDITS = 1000;
/** Unchanged lines that are shown before and after a change. */
const CONTEXT_LINES = 3;

/** What turns one sequence into the other, with as much as possible kept. */
export function diff<Item>(before: readonly Item[], after: readonly Item[]): readonly Stretch<Item>[] {
  if (before.length === 0 && after.length === 0) return [];
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (!changes) {
    return [
      { kind: "removed", items: before },
      { kind: "added", items: after },
    ];
  }
  return changes.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    items: value,
  }));
}

/** Words and the spaces between them; joined they are the text again. */
export function splitWords(text: string): readonly string[] {
  // Chinese has no spaces between words: each of its characters counts as one.
  return text.match(/[\u3400-\u9FFF]|[^\s\u3400-\u9FFF]+|\s+/g) ?? [];
}

/** A unified diff without line numbers. */
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

function shorten(
  lines: readonly string[],
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): string[] {
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
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
