import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import { resolvePath } from "../paths.ts";
import { describeRunFailure, runCell, variableName } from "./cell.ts";

const input = z.strictObject({
  variables: z.array(variableName).min(1).optional().describe("Names of variables in the kernel; default df"),
  format: z.enum(["csv", "json", "xlsx", "parquet"]).optional().describe("Default csv"),
  folder: z.string().min(1).optional().describe("Default: the folder for outputs"),
});

export const exportDatasets = defineTool(import.meta.url, {
  name: "export_datasets",
  input,
  isReadOnly: false,
  async run({ variables = ["df"], format = "csv", folder }, context) {
    const { sandbox, signal, report } = context;
    const target = folder === undefined ? sandbox.info.paths.outputs : resolvePath(sandbox, folder);
    await sandbox.files.mkdir(target, { signal });
    const run = await runCell("export_datasets.py", { variables, format, folder: target }, context);
    for (const artifact of run.artifacts) report.artifact(artifact);
    if (run.status !== "ok") return failure(`The export failed. ${describeRunFailure(run)}`);
    return success(run.stdout.trimEnd(), {
      data: run.artifacts.map(({ path, sizeBytes }) => ({ path, size_bytes: sizeBytes })),
    });
  },
});
