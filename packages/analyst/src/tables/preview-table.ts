import { AtollError, type RunOutput, type Sandbox } from "@atoll/sandbox";
import { z } from "zod";
import { makePreviewCell, profileMime } from "./program.ts";
import { cutValue } from "./untrusted.ts";

export interface FileTable {
  /** For `python.table`, in the context that it was read in. */
  readonly tableId: string;
  readonly format: string;
  /** All sheets of a workbook that have a table; else none. */
  readonly sheets: readonly string[];
  readonly sheet?: string;
  /** Of the file. More than the table has, where memory was short. */
  readonly rows: number;
  readonly notes: readonly string[];
}

export interface PreviewOptions {
  readonly context: string;
  readonly sheet?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 60_000;

/** Reads one file as `loadTables` would, to be looked at. Fails with `invalid_argument` when it is no table. */
export async function previewTable(
  sandbox: Sandbox,
  path: string,
  { context, sheet, signal, timeoutMs = defaultTimeoutMs }: PreviewOptions,
): Promise<FileTable> {
  const outputs: RunOutput[] = [];
  const { memoryBytes } = sandbox.info.limits;
  const run = await sandbox.python.run(makePreviewCell({ path, sheet: sheet ?? null, memoryBytes }), {
    context,
    timeoutMs,
    maxOutputBytes: 4096,
    signal,
    onResult: (output) => outputs.push(output),
  });
  if (signal?.aborted) throw new AtollError("aborted", "reading the file was given up");
  const [description] = outputs.flatMap(({ extra, json }) => read(extra?.[profileMime] ?? json));
  const tableId = outputs.find(({ table }) => typeof table?.id === "string")?.table?.id;
  if (description?.problem !== undefined || run.status !== "ok" || !description || tableId === undefined) {
    const why = description?.problem ?? (run.status === "ok" ? "reading it failed" : failures[run.status]);
    throw new AtollError("invalid_argument", `This file cannot be shown as a table: ${why}.`);
  }
  const { format = "", sheets, sheet: shown, rows = 0, notes } = description;
  return { tableId, format, sheets, rows, notes, ...(shown ? { sheet: shown } : {}) };
}

const failures = {
  error: "reading it failed",
  timeout: "reading it took too long",
  killed: "reading it needs more memory than the sandbox has",
};

const descriptionSchema = z.object({
  problem: z.string().optional(),
  format: z.string().optional(),
  sheets: z.array(z.string()).max(200).default([]),
  sheet: z.string().nullish(),
  rows: z.number().int().optional(),
  notes: z.array(z.string()).max(100).default([]),
});

/** Made where user code runs: what makes no sense is passed over. */
function read(value: unknown): z.infer<typeof descriptionSchema>[] {
  const { data } = descriptionSchema.safeParse(cutValue(value));
  return data ? [data] : [];
}
