import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { searchFiles } from "./search.ts";

const input = z
  .strictObject({
    query: z
      .string()
      .min(1)
      .optional()
      .describe('Words that are in one line; a "phrase in quotes" stays together'),
    regex: z.string().min(1).optional().describe("A regular expression, instead of words"),
    file: z.string().min(1).optional().describe("File or folder to search; default the workspace"),
    file_glob: z.string().optional().describe("Only files that match, e.g. *.md"),
    case_sensitive: z.boolean().optional(),
  })
  .refine(({ query, regex }) => (query === undefined) !== (regex === undefined), {
    message: "Give either query or regex",
  });

export const fileSearch = defineTool(import.meta.url, {
  name: "file_search",
  input,
  isReadOnly: true,
  run({ query = "", regex, file, file_glob, case_sensitive = false }, context) {
    const pattern = regex ?? toPattern(query);
    return searchFiles(pattern, { path: file, glob: file_glob, ignoreCase: !case_sensitive }, context);
  },
});

/** Matches a line that has all the words, in any order. */
function toPattern(query: string): string {
  const words = [...query.matchAll(/"([^"]+)"|[^\s"]+/g)].map(([word, phrase]) =>
    escapeRegex(phrase ?? word),
  );
  if (words.length === 0) return escapeRegex(query);
  return words.length === 1 ? (words[0] ?? "") : `^${words.map((word) => `(?=.*${word})`).join("")}`;
}

/** For Python's regular expressions. */
function escapeRegex(text: string): string {
  return text.replaceAll(/[!-/:-@[-^`{-~]/g, "\\$&");
}
