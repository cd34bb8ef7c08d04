import type { GrepMatch } from "@atoll/sandbox";
import { z } from "zod";
import { readModelText } from "../model-text.ts";
import type { Tool } from "../tool.ts";

const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 500;

const input = z.object({
  pattern: z.string().min(1).describe("Regular expression"),
  path: z.string().optional().describe("File or folder to search; default the workspace"),
  file_glob: z.string().optional().describe("Only files that match, e.g. *.py"),
  case_insensitive: z.boolean().optional(),
  context: z.int().min(0).max(20).optional().describe("Lines to show around each match"),
});

export const grep: Tool<z.infer<typeof input>> = {
  name: "grep",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run({ pattern, path, file_glob, case_insensitive = false, context = 0 }, { sandbox, signal }) {
    const found = await sandbox.files.grep(pattern, {
      ...(path === undefined ? {} : { path }),
      ...(file_glob === undefined ? {} : { glob: file_glob }),
      ignoreCase: case_insensitive,
      context,
      maxMatches: MAX_MATCHES,
      signal,
    });
    const lines = found.matches.flatMap(describeMatch);
    if (found.truncated) lines.push(`[More than ${MAX_MATCHES} matches: narrow the pattern or the path.]`);
    return { text: lines.join("\n") || "(no match)", isError: false };
  },
};

function describeMatch(match: GrepMatch): string[] {
  const start = match.line - match.before.length;
  const isAlone = match.before.length === 0 && match.after.length === 0;
  return [
    ...match.before.map((text, index) => `${match.path}-${start + index}-${shorten(text)}`),
    `${match.path}:${match.line}:${shorten(match.text)}`,
    ...match.after.map((text, index) => `${match.path}-${match.line + 1 + index}-${shorten(text)}`),
    ...(isAlone ? [] : ["--"]),
  ];
}

function shorten(text: string): string {
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)} [line cut]` : text;
}
