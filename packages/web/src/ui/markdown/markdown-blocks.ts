/**
 * Splits Markdown between blocks, so that only the last one is parsed again while an answer streams in. A text in which
 * a later block could change an earlier one is not split. `streamdown` does this too, but is three times as large as
 * react-markdown (153 kB compressed, not 49), since it brings a second parser and raw HTML, which answers must not have.
 * @example splitBlocks("# A\n\nword") // ["# A\n", "word"]
 */
export function splitBlocks(text: string): string[] {
  if (WHOLE_TEXT.test(text)) return [text];
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence === undefined && isAfterBlank && isBlockStart(line, lines)) {
      blocks.push(lines.join("\n"));
      lines = [];
    }
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    lines.push(line);
    isAfterBlank = fence === undefined && line.trim() === "";
  }
  return [...blocks, lines.join("\n")];
}

/** Link and footnote definitions apply to the whole text; some HTML does not end at a blank line. */
const WHOLE_TEXT = /^ {0,3}\[[^\]\n]+\]:|<!|<\?|<\/?(?:pre|script|style|textarea)\b/im;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;

/** Whether a line after a blank one begins a new block. Indented lines and list items may continue the last. */
function isBlockStart(line: string, before: readonly string[]): boolean {
  if (line.trim() === "" || /^\s/.test(line)) return false;
  const first = before.find((each) => each.trim() !== "");
  return first !== undefined && !(LIST_ITEM.test(line) && LIST_ITEM.test(first.trimStart()));
}
