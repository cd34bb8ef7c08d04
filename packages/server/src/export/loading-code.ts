import { type DataProfile, isTextual, type TableProfile } from "@atoll/protocol";

/** The notebook's first cell: the thread's files as the same variables, wherever the notebook is opened. */
export function makeLoadingCode(data: DataProfile | undefined): string {
  const tables = data?.tables ?? [];
  const files = [...new Set([...tables, ...(data?.others ?? [])].map(({ file }) => file))];
  const needsJson = tables.some(({ format }) => format === "json");
  return [
    ...describeFiles(files),
    "import os",
    "from pathlib import Path",
    "",
    ...(needsJson ? ["import json", ""] : []),
    "import matplotlib.pyplot as plt",
    "import numpy as np",
    "import pandas as pd",
    "",
    `DATA = Path(os.environ.get("DATA", "/data" if Path("/data").is_dir() else "."))`,
    ...tables.flatMap(loadTable),
    "",
  ].join("\n");
}

function describeFiles(files: readonly string[]): string[] {
  if (files.length === 0) return ["# The thread had no files."];
  return [
    "# The files that were given to the thread. They are not part of this notebook: put them beside it, or set the",
    "# environment variable DATA to their folder. Code below that names /data expects them there.",
    ...files.map((file) => `#   ${JSON.stringify(nameOf(file))}`),
    "",
  ];
}

function loadTable(table: TableProfile): string[] {
  const { variable, alias, columns, reading } = table;
  if (variable === undefined) return [];
  const name = alias ?? variable;
  const dates = columns.filter(({ kind }) => kind === "date").map((column) => column.name);
  const lines = [`${name} = ${readCall(table)}`];
  if (table.format !== "parquet") {
    for (const date of dates) {
      const place = `${name}[${text(date)}]`;
      const options = [
        ...(reading?.day_first ? ["dayfirst=True"] : []),
        ...(isZoned(table, date) ? ["utc=True"] : []),
        `format="mixed"`,
        `errors="coerce"`,
      ];
      lines.push(`${place} = pd.to_datetime(${place}, ${options.join(", ")})`);
    }
  }
  if (alias !== undefined) lines.push(`${variable} = ${alias}`);
  return lines;
}

function readCall(table: TableProfile): string {
  const path = `DATA / ${text(nameOf(table.file))}`;
  if (table.format === "parquet") return `pd.read_parquet(${path})`;
  if (table.format === "excel") return `pd.read_excel(${path}, sheet_name=${text(table.sheet ?? "")})`;
  if (table.format === "jsonl") return `pd.read_json(${path}, lines=True)`;
  if (table.format === "json") return `pd.json_normalize(json.loads((${path}).read_text(encoding="utf-8")))`;
  return `pd.read_csv(${[path, ...csvOptions(table)].join(", ")})`;
}

function csvOptions({
  separator = ",",
  encoding = "utf-8",
  columns,
  reading = {},
  ...table
}: TableProfile): string[] {
  // Dates too: what separates thousands may stand between days and months.
  const texts = columns.filter(({ kind }) => isTextual(kind) || kind === "date");
  const { decimal, thousands, skip_rows: skipRows, has_header: hasHeader = true } = reading;
  return [
    ...(separator === ","
      ? []
      : [`sep=${separator === "white space" ? String.raw`r"\s{2,}|\t| "` : text(separator)}`]),
    ...(separator === "white space" ? [`engine="python"`] : []),
    ...(encoding === "utf-8" ? [] : [`encoding=${text(encoding)}`]),
    ...(skipRows ? [`skiprows=${skipRows}`] : []),
    ...(hasHeader ? [] : [`header=None`, `names=[${columns.map(({ name }) => text(name)).join(", ")}]`]),
    ...(decimal === undefined ? [] : [`decimal=${text(decimal)}`]),
    ...(thousands === undefined ? [] : [`thousands=${text(thousands)}`]),
    ...(texts.length === 0 ? [] : [`dtype={${texts.map(({ name }) => `${text(name)}: "str"`).join(", ")}}`]),
    ...(table.loaded_rows < table.rows ? [`nrows=${table.loaded_rows}`] : []),
  ];
}

function isZoned({ columns }: TableProfile, name: string): boolean {
  return columns.some((column) => column.name === name && column.dtype.includes(","));
}

function nameOf(file: string): string {
  return file.replace(/^\/data\//, "");
}

/** A JSON text is also one of Python's. */
function text(value: string): string {
  return JSON.stringify(value);
}
