import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { searchFiles } from "./search.ts";

const input = z.strictObject({
  pattern: z.string().min(1).describe("Regular expression"),
  path: z.string().optional().describe("File or folder to search; default the workspace"),
  file_glob: z.string().optional().describe("Only files that match, e.g. *.py"),
  case_insensitive: z.boolean().optional(),
  context: z.int().min(0).max(20).optional().describe("Lines to show around each match"),
});

export const grep = defineTool(import.meta.url, {
  name: "grep",
  input,
  isReadOnly: true,
  run: ({ pattern, path, file_glob, case_insensitive, context: lines }, context) =>
    searchFiles(pattern, { path, glob: file_glob, ignoreCase: case_insensitive, lines }, context),
});
