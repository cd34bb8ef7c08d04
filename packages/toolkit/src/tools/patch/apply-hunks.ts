import { findPlace } from "./fitting.ts";
import { type Hunk, misfit } from "./patch.ts";

const MAX_LINES = 200_000;

/** The text after all hunks. Its line ends, and lines that fit but for blanks, stay as they are in the file. */
export function applyHunks(text: string, hunks: readonly Hunk[], path: string): string {
  const newline = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? "\r\n" : "\n";
  let endsInNewline = text === "" || text.endsWith("\n");
  const lines = text === "" ? [] : text.split(/\r?\n/);
  if (text.endsWith("\n")) lines.pop();
  if (lines.length > MAX_LINES)
    throw misfit(`${path} has over ${MAX_LINES} lines: change it with execute_python`);
  const result: string[] = [];
  let done = 0;
  let drift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const name = hunks.length === 1 ? `The hunk of ${path}` : `Hunk ${index + 1} of ${path}`;
    let at = findPlace(lines, hunk, { from: done, drift, name });
    if (hunk.line !== undefined) drift = at - (hunk.line - 1);
    result.push(...lines.slice(done, at));
    for (const { kind, text: added } of hunk.lines) {
      if (kind === "added") result.push(added);
      else if (kind === "context") result.push(lines[at] ?? "");
      if (kind !== "added") at += 1;
    }
    done = at;
    if (hunk.endsInNewline !== undefined) endsInNewline = hunk.endsInNewline;
  }
  result.push(...lines.slice(done));
  return result.length === 0 ? "" : result.join(newline) + (endsInNewline ? newline : "");
}
