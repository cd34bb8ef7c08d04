/**
 * Cuts Markdown where one block ends and another begins, so that of an answer that is still being written only the last
 * part has to be read anew. Where a later block could change what an earlier one means, nothing is cut.
 */
export function splitBlocks(text: string): string[] {
  if (reachesFar.test(text)) return [text];
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split("\n")) {
    const [, mark] = fenceLine.exec(line) ?? [];
    if (fence === undefined && isAfterBlank && beginsAnew(line, lines)) {
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

/** Definitions of links and notes hold for the whole text; some HTML does not end with a blank line. */
const reachesFar = /^ {0,3}\[[^\]\n]+\]:|<!|<\?|<\/?(?:pre|script|style|textarea)\b/im;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const listItem = /^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;

/** After a blank line. What is indented, or one more item of a list, may belong to what came before. */
function beginsAnew(line: string, before: readonly string[]): boolean {
  if (line.trim() === "" || /^\s/.test(line)) return false;
  const first = before.find((each) => each.trim() !== "");
  return first !== undefined && !(listItem.test(line) && listItem.test(first.trimStart()));
}
