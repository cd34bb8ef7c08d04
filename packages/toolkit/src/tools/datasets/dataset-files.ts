import { posix } from "node:path";
import type { FileStat } from "@atoll/sandbox";
import type { ToolContext } from "../../tool.ts";

const FORMATS: Record<string, string> = {
  csv: "csv",
  tsv: "tsv",
  txt: "csv",
  json: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  xlsx: "excel",
  xlsm: "excel",
  parquet: "parquet",
};

/** The files at `/data`, without what runs have put into its outputs. */
export async function listDatasetFiles({ sandbox, signal }: ToolContext): Promise<FileStat[]> {
  const { data, outputs } = sandbox.info.paths;
  const entries = await sandbox.files.list(data, { recursive: true, signal });
  return entries.filter(({ path, kind }) => kind === "file" && !`${path}/`.startsWith(`${outputs}/`));
}

/** Undefined if it is not a table. A compressed file counts as its content: `sales.csv.gz` is csv. */
export function formatOf(path: string): string | undefined {
  const name = path.toLowerCase().replace(/\.(gz|bz2|xz|zip|zst)$/, "");
  return FORMATS[posix.extname(name).slice(1)];
}
