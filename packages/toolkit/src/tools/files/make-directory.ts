import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { pathInput, resolvePath, showPath } from "../paths.ts";

const input = z.strictObject({ path: pathInput });

export const makeDirectory = defineTool(import.meta.url, {
  name: "make_directory",
  input,
  isReadOnly: false,
  async run({ path }, { sandbox, signal }) {
    await sandbox.files.mkdir(path, { signal });
    return success(`The folder ${showPath(resolvePath(sandbox, path))} is there.`);
  },
});
