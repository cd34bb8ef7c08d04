import { posix } from "node:path";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import { resolvePath, showPath } from "../paths.ts";
import { describeRunFailure, runCell, variableName } from "./cell.ts";
import { formatOf, listDatasetFiles } from "./dataset-files.ts";

const input = z.strictObject({
  name: z.string().min(1).describe("As list_datasets names it, or a path in the workspace"),
  variable: variableName.optional().describe("Of the DataFrame; default df"),
  sheet: z.string().optional().describe("Of a workbook; default the first"),
});

export const selectDataset = defineTool(import.meta.url, {
  name: "select_dataset",
  input,
  isReadOnly: false,
  async run({ name, variable = "df", sheet = null }, context) {
    const { sandbox, signal } = context;
    const candidates = [posix.resolve(sandbox.info.paths.data, name), resolvePath(sandbox, name)];
    let path: string | undefined;
    for (const candidate of candidates) {
      if (path === undefined && (await sandbox.files.exists(candidate, { signal }))) path = candidate;
    }
    if (path === undefined) {
      const known = (await listDatasetFiles(context)).map((file) => showPath(file.name));
      return failure(`There is no dataset "${name}". There are: ${known.join(", ") || "none"}`);
    }
    const format = formatOf(path);
    if (format === undefined)
      return failure(`${path} is not a table that can be loaded: read it with execute_python.`);
    const run = await runCell("select_dataset.py", { path, variable, format, sheet }, context);
    if (run.status !== "ok") return failure(`${path} could not be loaded. ${describeRunFailure(run)}`);
    return success(run.stdout.trimEnd());
  },
});
