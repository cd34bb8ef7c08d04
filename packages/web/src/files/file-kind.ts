/** How a file is shown, by its name. `table`: rows that the sandbox reads page by page. `unknown`: decided by its bytes. */
export type FileKind =
  | "image"
  | "pdf"
  | "table"
  | "json"
  | "notebook"
  | "markdown"
  | "html"
  | "text"
  | "unknown";

const byEnding: Readonly<Record<string, FileKind>> = {
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  avif: "image",
  svg: "image",
  pdf: "pdf",
  csv: "table",
  tsv: "table",
  xlsx: "table",
  xls: "table",
  parquet: "table",
  jsonl: "table",
  ndjson: "table",
  json: "json",
  ipynb: "notebook",
  md: "markdown",
  html: "html",
  htm: "html",
};

const texts = new Set(
  "txt log py js ts tsx jsx mjs css xml yaml yml toml ini cfg conf sh sql r java c h cpp rs go rb php env gitignore dockerfile makefile".split(
    " ",
  ),
);

export function kindOfFile(path: string): FileKind {
  const ending = endingOf(path);
  return byEnding[ending] ?? (texts.has(ending) ? "text" : "unknown");
}

/** Whether a file that has a preview can be read and edited as text too. */
export function isTextToo(path: string): boolean {
  return ["csv", "tsv", "jsonl", "ndjson", "json", "ipynb", "md", "svg", "html", "htm"].includes(
    endingOf(path),
  );
}

function endingOf(path: string): string {
  const name = path.split("/").at(-1)?.toLowerCase() ?? "";
  return name.includes(".") ? (name.split(".").at(-1) ?? "") : name;
}
