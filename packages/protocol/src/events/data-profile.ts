import { z } from "zod";
import { COLUMN_KINDS } from "../column-kinds.ts";

/** What is known of one file of a thread. Made inside the sandbox, so every field is untrusted text or numbers. */
export const columnProfileSchema = z.object({
  name: z.string(),
  dtype: z.string().describe("pandas' own name of the type"),
  kind: z.enum(COLUMN_KINDS).describe("What it is for an analyst"),
  missing: z.number().int(),
  distinct: z.number().int().optional(),
  min: z.union([z.number(), z.string()]).optional().describe("Numbers as such, dates as ISO strings"),
  max: z.union([z.number(), z.string()]).optional(),
  mean: z.number().optional(),
  values: z
    .array(z.string())
    .optional()
    .describe("The values of a text column, most frequent first, at most 50"),
  samples: z.array(z.unknown()).describe("A few values as they are"),
});

/** What `pandas.read_csv` has to be told to read a text file alike, beside its separator and encoding. */
const readingSchema = z.object({
  decimal: z.string().optional(),
  thousands: z.string().optional(),
  day_first: z.boolean().optional(),
  skip_rows: z.number().int().optional().describe("Lines above the header"),
  has_header: z.boolean().optional(),
});

export const tableProfileSchema = z.object({
  file: z.string().describe("Path inside, e.g. /data/sales.csv"),
  name: z.string().describe("The file's name without its folder; with the sheet, for a workbook"),
  variable: z
    .string()
    .optional()
    .describe("The DataFrame it is loaded as: df for the first, else e.g. sales"),
  alias: z.string().optional().describe("The first table's other variable, named after its file"),
  format: z.enum(["csv", "tsv", "json", "jsonl", "excel", "parquet"]),
  sheet: z.string().optional(),
  separator: z.string().optional(),
  encoding: z.string().optional(),
  reading: readingSchema.optional(),
  rows: z.number().int().describe("Of the whole file"),
  loaded_rows: z.number().int().describe("Fewer than rows when the file is too large for memory"),
  columns: z.array(columnProfileSchema),
  duplicate_rows: z.number().int().optional(),
  sample: z.array(z.array(z.unknown())).describe("The first five rows"),
  notes: z.array(z.string()).describe("e.g. which columns were parsed as dates, what was repaired"),
});

/** A file that could not be read as a table, or is none. */
export const otherFileSchema = z.object({
  file: z.string(),
  name: z.string(),
  size_bytes: z.number().int(),
  problem: z.string().optional().describe("Why a file that looks like a table could not be read"),
});

export const dataProfileSchema = z.object({
  tables: z.array(tableProfileSchema),
  others: z.array(otherFileSchema),
  lacks: z
    .object({ package: z.string(), runtime: z.string() })
    .optional()
    .describe(
      "No table can be read in this sandbox, since its runtime does not have the package that reads them",
    ),
});

export type ColumnProfile = z.infer<typeof columnProfileSchema>;
export type TableProfile = z.infer<typeof tableProfileSchema>;
export type DataProfile = z.infer<typeof dataProfileSchema>;
