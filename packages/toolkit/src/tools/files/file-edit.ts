import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import { pathInput } from "../paths.ts";
import { readTextFile } from "./text-file.ts";

const input = z.strictObject({
  file: pathInput,
  old_str: z.string().min(1).describe("Text that is in the file, exactly as it is there"),
  new_str: z.string().describe("What takes its place"),
  replace_all: z.boolean().optional().describe("Every occurrence; default: there must be exactly one"),
});

export const fileEdit = defineTool(import.meta.url, {
  name: "file_edit",
  input,
  isReadOnly: false,
  async run({ file, old_str, new_str, replace_all = false }, context) {
    const { path, text, mode } = await readTextFile(file, context);
    const [parts, replacement] = split(text, old_str, new_str);
    const count = parts.length - 1;
    if (count === 0) return failure(`old_str is not in ${file}. Read the file and copy the text exactly.`);
    if (count > 1 && !replace_all) {
      return failure(
        `old_str is ${count} times in ${file}. Add lines around it to make it unique, or set replace_all.`,
      );
    }
    const { sandbox, signal } = context;
    await sandbox.files.write(path, parts.join(replacement), { mode, signal });
    return success(`Replaced ${count} ${count === 1 ? "occurrence" : "occurrences"} in ${file}.`);
  },
});

/** Models see and write `\n`, also where the lines of the file end in `\r\n`. */
function split(text: string, old: string, replacement: string): [string[], string] {
  const parts = text.split(old);
  if (parts.length > 1 || !text.includes("\r\n")) return [parts, replacement];
  return [text.split(toWindows(old)), toWindows(replacement)];
}

function toWindows(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}
