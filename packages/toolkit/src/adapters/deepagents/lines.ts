import type { ReadResult } from "deepagents";

type Lines = Pick<ReadResult, "content" | "totalLines" | "startLine" | "endLine" | "nextOffset">;

/** A window of lines, with where it is. An end of line at the end of the text begins no further line. */
export function inLines(text: string, offset: number, limit: number): Lines {
  const [first, most] = [atLeastZero(offset), atLeastZero(limit)];
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
  const totalLines = text === "" ? 0 : lines.length;
  const shown = text === "" ? [] : lines.slice(first, first + most);
  const content = shown.join("\n");
  if (shown.length === 0) return { content, totalLines };
  const end = first + shown.length;
  return {
    content,
    totalLines,
    startLine: first + 1,
    endLine: end,
    ...(end < totalLines ? { nextOffset: end } : {}),
  };
}

function atLeastZero(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0;
}
