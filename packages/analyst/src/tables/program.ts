import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deflateSync } from "node:zlib";

/** The media type under which the program's messages arrive. */
export const profileMime = "application/vnd.atoll.profile+json";

export interface ReadRequest {
  readonly folder: string;
  readonly outputs: string;
  /** File names that come first, in this order. */
  readonly order: readonly string[];
  readonly memoryBytes: number;
  /** Paths of files that need no reading. */
  readonly known: readonly string[];
  /** Positions in the list of files that need no reading. */
  readonly done: readonly number[];
  /** Variables that tables have already. */
  readonly taken: readonly string[];
}

/**
 * A cell that reads the files. It travels whole, so that every driver can run it, and packed, because IPython looks at
 * every character of a cell several times. The imports stand at its end and at top level, where a snapshot of the
 * kernel finds them and can repeat them.
 */
export function makeCell(request: ReadRequest): string {
  return [
    callProgram("load", request),
    "import numpy as np",
    "import pandas as pd",
    "import matplotlib.pyplot as plt",
    "",
  ].join("\n");
}

export interface PreviewRequest {
  readonly path: string;
  /** Of a workbook; null: its first. */
  readonly sheet: string | null;
  readonly memoryBytes: number;
}

/** A cell that shows the table of one file. */
export function makePreviewCell(request: PreviewRequest): string {
  return `${callProgram("preview", request)}\n`;
}

function callProgram(task: "load" | "preview", request: object): string {
  program ??= readProgram();
  const settings = JSON.stringify({ TASK: task, REQUEST: request, MIME: profileMime });
  return [
    `exec(*(lambda json, zlib, base64: (lambda program: (program["BOOTSTRAP"], program))(`,
    `    json.loads(zlib.decompress(base64.b64decode("${program}"))) | json.loads(${asPythonText(settings)})`,
    `))(*map(__import__, ("json", "zlib", "base64"))))`,
  ].join("\n");
}

let program: string | undefined;

function readProgram(): string {
  const folder = join(import.meta.dirname, "python");
  const sources: Record<string, string> = {};
  for (const file of readdirSync(folder)) {
    if (file.endsWith(".py")) sources[basename(file, ".py")] = readFileSync(join(folder, file), "utf8");
  }
  const { bootstrap, ...modules } = sources;
  return deflateSync(JSON.stringify({ BOOTSTRAP: bootstrap, SOURCES: modules })).toString("base64");
}

/** Every JSON text is also one of Python's string literals. */
function asPythonText(text: string): string {
  return JSON.stringify(text);
}
