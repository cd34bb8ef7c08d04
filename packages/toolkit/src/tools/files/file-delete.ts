import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { showPath } from "../paths.ts";

const input = z.strictObject({
  path: z.string().min(1).describe("File or folder, absolute or from the workspace"),
});

export const fileDelete = defineTool(import.meta.url, {
  name: "file_delete",
  input,
  isReadOnly: false,
  async run({ path }, { sandbox, signal }) {
    const stat = await sandbox.files.stat(path, { signal });
    await sandbox.files.remove(path, { signal });
    return success(`Deleted ${showPath(stat.path)}.`);
  },
});
