import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { showPath } from "../paths.ts";

const input = z.strictObject({
  path: z.string().min(1).describe("File or folder, absolute or from the workspace"),
});

export const fileDelete: Tool<z.infer<typeof input>> = {
  name: "file_delete",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ path }, { sandbox, signal }) {
    const stat = await sandbox.files.stat(path, { signal });
    await sandbox.files.remove(path, { signal });
    return success(`Deleted ${showPath(stat.path)}.`);
  },
};
