import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { pathInput, resolvePath, showPath } from "../paths.ts";

const input = z.strictObject({
  path: pathInput,
  new_path: z.string().min(1).describe("With the new name"),
  overwrite: z.boolean().optional().describe("Replace a file that is there; default: refuse"),
});

export const move: Tool<z.infer<typeof input>> = {
  name: "move",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ path, new_path, overwrite = false }, { sandbox, signal }) {
    await sandbox.files.move(path, new_path, { overwrite, signal });
    return success(
      `Moved ${showPath(resolvePath(sandbox, path))} to ${showPath(resolvePath(sandbox, new_path))}.`,
    );
  },
};
