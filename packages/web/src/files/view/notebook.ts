/** The parts of a Jupyter notebook that are shown. Its content is untrusted and validated here. */
export interface Notebook {
  readonly language: "python" | "javascript";
  readonly cells: readonly {
    readonly kind: string;
    readonly source: unknown;
    readonly outputs: readonly NotebookOutputData[];
  }[];
}

export interface NotebookOutputData {
  readonly output_type?: unknown;
  readonly text?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly ename?: unknown;
  readonly evalue?: unknown;
}

/** Undefined if it is not a notebook. */
export function readNotebook(text: string): Notebook | undefined {
  const { cells, metadata } = readObject(tryParse(text));
  if (!Array.isArray(cells)) return undefined;
  const { name } = readObject(readObject(metadata)["language_info"]);
  return {
    language: /^(java|type)script$/i.test(String(name)) ? "javascript" : "python",
    cells: cells.map(readObject).map(({ cell_type: kind, source, outputs }) => ({
      kind: String(kind),
      source,
      outputs: Array.isArray(outputs) ? outputs.map(readOutput) : [],
    })),
  };
}

function readOutput(value: unknown): NotebookOutputData {
  const { data, ...output } = readObject(value);
  return { ...output, data: readObject(data) };
}

/** Notebooks store texts whole or as lines. */
export function joinText(text: unknown): string {
  if (Array.isArray(text)) return text.map(String).join("");
  return typeof text === "string" ? text : "";
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
