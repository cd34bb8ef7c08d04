import { z } from "zod";
import { readModelText } from "../model-text.ts";
import type { Tool, ToolOutput } from "../tool.ts";

const input = z.object({
  file: z.string().min(1).describe("Path, absolute or from the workspace"),
  old_str: z.string().min(1).describe("Text that is in the file, exactly as it is there"),
  new_str: z.string().describe("What takes its place"),
  replace_all: z.boolean().optional().describe("Every occurrence; default: there must be exactly one"),
});

export const fileEdit: Tool<z.infer<typeof input>> = {
  name: "file_edit",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ file, old_str, new_str, replace_all = false }, { sandbox, signal }) {
    const parts = (await sandbox.files.readText(file, { signal })).split(old_str);
    const count = parts.length - 1;
    if (count === 0) return failure(`old_str is not in ${file}. Read the file and copy the text exactly.`);
    if (count > 1 && !replace_all) {
      return failure(
        `old_str is ${count} times in ${file}. Add lines around it to make it unique, or set replace_all.`,
      );
    }
    const { mode } = await sandbox.files.stat(file, { signal });
    await sandbox.files.write(file, parts.join(new_str), { mode: mode & 0o777, signal });
    return {
      text: `Replaced ${count} ${count === 1 ? "occurrence" : "occurrences"} in ${file}.`,
      isError: false,
    };
  },
};

function failure(text: string): ToolOutput {
  return { text, isError: true };
}
