import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { pathInput, resolvePath, showPath } from "../paths.ts";

const input = z.strictObject({ path: pathInput });

export const makeDirectory: Tool<z.infer<typeof input>> = {
  name: "make_directory",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ path }, { sandbox, signal }) {
    await sandbox.files.mkdir(path, { signal });
    return success(`The folder ${showPath(resolvePath(sandbox, path))} is there.`);
  },
};
