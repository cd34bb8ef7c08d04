import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { showPath } from "../paths.ts";
import { formatOf, listDatasetFiles } from "./dataset-files.ts";

const input = z.strictObject({});

export const listDatasets = defineTool(import.meta.url, {
  name: "list_datasets",
  input,
  isReadOnly: true,
  async run(_, context) {
    const folder = context.sandbox.info.paths.data;
    const datasets = (await listDatasetFiles(context)).map(({ path, sizeBytes }) => ({
      name: path.slice(folder.length + 1),
      path,
      size_bytes: sizeBytes,
      format: formatOf(path) ?? null,
    }));
    const lines = datasets.map(
      ({ name, size_bytes, format }) => `${showPath(name)} (${format ?? "no table"}, ${size_bytes} bytes)`,
    );
    return success(lines.join("\n") || "(no datasets)", { data: datasets });
  },
});
