import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { showPath } from "../paths.ts";

const MAX_SHOWN = 500;

const input = z.strictObject({
  glob: z.string().min(1).describe("e.g. **/*.csv; ** crosses folders, * and ? do not"),
  path: z.string().min(1).optional().describe("Folder to look in; default the workspace"),
});

export const fileFind = defineTool(import.meta.url, {
  name: "file_find",
  input,
  isReadOnly: true,
  async run({ glob, path }, { sandbox, signal }) {
    const found = await sandbox.files.glob(glob, { cwd: path, signal });
    const lines = found.slice(0, MAX_SHOWN).map(showPath);
    if (found.length > MAX_SHOWN) lines.push(`[${found.length - MAX_SHOWN} more files]`);
    return success(lines.join("\n") || "(no file matches)", { data: found });
  },
});
