import type { ReadBlob } from "./blobs.ts";
import { type Call, codeOf, describeEnd } from "./calls.ts";
import { makeLoadingCode } from "./loading-code.ts";
import { quoteMarkdown } from "./markdown-text.ts";
import { type Output, toOutputs } from "./notebook-outputs.ts";
import type { Entry, Transcript } from "./transcript.ts";

interface Cell {
  cell_type: "markdown" | "code";
  id: string;
  metadata: Record<string, unknown>;
  source: string[];
  execution_count?: number | null;
  outputs?: Output[];
}

/** Version 4.5 of the notebook format. Outputs are those of the thread, so it can be read without being run. */
export async function renderNotebook(transcript: Transcript, readBlob: ReadBlob): Promise<string> {
  const cells = new Cells(readBlob);
  cells.addText(describeThread(transcript));
  cells.addCode(makeLoadingCode(transcript.data));
  for (const entry of transcript.entries) await cells.add(entry);
  const notebook = {
    cells: cells.list,
    metadata: {
      kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
      language_info: { name: "python", file_extension: ".py", mimetype: "text/x-python" },
      ...(transcript.title === null ? {} : { title: transcript.title }),
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  return `${JSON.stringify(notebook, undefined, 1)}\n`;
}

class Cells {
  readonly list: Cell[] = [];
  readonly #readBlob: ReadBlob;
  #executions = 0;

  constructor(readBlob: ReadBlob) {
    this.#readBlob = readBlob;
  }

  async add(entry: Entry): Promise<void> {
    if (entry.kind === "user" && entry.code) {
      if (entry.remark === undefined) return;
      this.addText(`**You** *(${entry.remark})*`);
      this.addCode(toCell(entry.code, entry.text));
    } else if (entry.kind === "user") {
      const remark = entry.remark === undefined ? "" : ` *(${entry.remark})*`;
      this.addText(`**You**${remark}\n\n${quoteMarkdown(entry.text)}`);
    } else if (entry.kind === "answer") this.addText(entry.text.trim());
    else if (entry.kind === "remark") this.addText(`*${entry.text}*`);
    else await this.#addCall(entry.call);
  }

  addText(text: string): void {
    if (text !== "") this.list.push({ cell_type: "markdown", ...this.#head(), source: toLines(text) });
  }

  addCode(code: string, outputs?: Output[]): void {
    const count = outputs === undefined ? null : ++this.#executions;
    const cell: Cell = { cell_type: "code", ...this.#head(), source: toLines(code) };
    this.list.push({ ...cell, execution_count: count, outputs: outputs ?? [] });
  }

  async #addCall(call: Call): Promise<void> {
    const code = codeOf(call);
    if (!code) {
      const outcome = call.result?.isError ? ", which failed" : "";
      return this.addText(`*Used \`${call.tool || "a tool"}\`${outcome}.*`);
    }
    const outputs = await toOutputs(call, this.#executions + 1, this.#readBlob);
    this.addCode(toCell(code.language, code.code), outputs);
    const end = describeEnd(call);
    const files = call.artifacts.map(({ path }) => `\`${path.replaceAll("`", "'")}\``);
    if (end !== undefined) this.addText(`*${end}*`);
    if (files.length > 0) this.addText(`*Files written: ${files.join(", ")}*`);
  }

  #head(): Pick<Cell, "id" | "metadata"> {
    return { id: `cell-${this.list.length + 1}`, metadata: {} };
  }
}

function describeThread({ title, threadId, createdAt }: Transcript): string {
  const name =
    title === null || title.trim() === "" ? "A conversation about data" : title.replace(/\s+/g, " ");
  return `# ${name}\n\nThread \`${threadId}\`, begun ${createdAt.slice(0, 10)}, exported from Atoll.`;
}

function toCell(language: "python" | "shell", code: string): string {
  return language === "shell" ? `%%bash\n${code}` : code;
}

/** As editors of notebooks store text: one string a line, each with its line end. */
function toLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}
