import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { pathInput, resolvePath, showPath } from "../paths.ts";

const input = z.strictObject({
  path: pathInput,
  new_path: z.string().min(1).describe("With the new name"),
  overwrite: z.boolean().optional().describe("Replace a file that is there; default: refuse"),
});

export const move = defineTool(import.meta.url, {
  name: "move",
  input,
  isReadOnly: false,
  async run({ path, new_path, overwrite = false }, { sandbox, signal }) {
    await sandbox.files.move(path, new_path, { overwrite, signal });
    return success(
      `Moved ${showPath(resolvePath(sandbox, path))} to ${showPath(resolvePath(sandbox, new_path))}.`,
    );
  },
});
