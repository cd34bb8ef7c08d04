import { z } from "zod";
import { tableSchema } from "../events/run-events.ts";
import { pathText, threadParams, wholeParam } from "./ids.ts";
import { named } from "./names.ts";

export const tableParams = threadParams.extend({ table_id: z.string().regex(/^[0-9a-f]{8,64}$/) });

const words = z.string().max(500).optional();
const rowFields = {
  sort: words.describe(
    "A column's name, or `#2` for the third column; with `-` before it the largest come first",
  ),
  filter: words.describe(
    "Words that a row must have; with `column` also a comparison, as `> 100` or `= Oslo`",
  ),
  column: words.describe("Where to look for them; default: everywhere"),
};
const pageFields = {
  offset: wholeParam(0, 1e12).optional().describe("Rows to leave out; default 0"),
  limit: wholeParam(1, 1000).optional().describe("At most this many rows; default 100"),
  ...rowFields,
};

export const tableRowsQuery = z.object(pageFields);
export const tableCsvQuery = z.object(rowFields);
export const fileTableQuery = z.object({
  path: pathText.describe("Absolute inside, or relative to /workspace"),
  sheet: z.string().max(200).optional().describe("Of a workbook; default: the first with a table"),
  ...pageFields,
});

const { columns, rows, index, index_names } = tableSchema.shape;

export const tablePageSchema = named(
  "TablePage",
  z.object({
    columns,
    rows: rows.describe("Fewer than asked for, where they are very long; the next page begins after them"),
    index,
    index_names,
    offset: z.number().int(),
    total: z.number().int().describe("Rows of the whole table"),
    filtered_total: z.number().int().describe("Rows that the filter lets through"),
    total_columns: z.number().int(),
  }),
);

export const fileTableSchema = named(
  "FileTable",
  tablePageSchema.extend({
    path: z.string(),
    format: z.string().describe("csv, tsv, excel, parquet, json or jsonl"),
    sheets: z.array(z.string()).describe("Of a workbook: those that have a table"),
    sheet: z.string().optional().describe("The one that this is"),
    file_rows: z.number().int().describe("More than `total`, where the sandbox has not the memory for all"),
    notes: z.array(z.string()).describe("How it was read"),
  }),
);
