import type { GrepMatch } from "@atoll/sandbox";
import { success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { showPath } from "../paths.ts";

const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 500;

interface SearchOptions {
  readonly path: string | undefined;
  readonly glob: string | undefined;
  readonly ignoreCase: boolean | undefined;
  /** To show around each match. */
  readonly lines?: number | undefined;
}

/** Path, number and text of each line that a regular expression matches. */
export async function searchFiles(
  pattern: string,
  { path, glob, ignoreCase = false, lines: context = 0 }: SearchOptions,
  { sandbox, signal }: ToolContext,
): Promise<ToolOutput> {
  const found = await sandbox.files.grep(pattern, {
    path,
    glob,
    ignoreCase,
    context,
    maxMatches: MAX_MATCHES,
    signal,
  });
  const lines = found.matches.flatMap(describeMatch);
  if (found.truncated) lines.push(`[More than ${MAX_MATCHES} matches: narrow the pattern or the path.]`);
  const data = found.matches.map((match) => ({ path: match.path, line: match.line, text: match.text }));
  return success(lines.join("\n") || "(no match)", { data });
}

function describeMatch(match: GrepMatch): string[] {
  const path = showPath(match.path);
  const start = match.line - match.before.length;
  const isAlone = match.before.length === 0 && match.after.length === 0;
  return [
    ...match.before.map((text, index) => `${path}-${start + index}-${shorten(text)}`),
    `${path}:${match.line}:${shorten(match.text)}`,
    ...match.after.map((text, index) => `${path}-${match.line + 1 + index}-${shorten(text)}`),
    ...(isAlone ? [] : ["--"]),
  ];
}

function shorten(text: string): string {
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)} [line cut]` : text;
}
