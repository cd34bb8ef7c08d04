import type { ReadBlob } from "./blobs.ts";
import { type Call, codeOf, describeEnd, type Result } from "./calls.ts";
import { fence, quoteMarkdown, tableToMarkdown } from "./markdown-text.ts";
import type { Entry, Transcript } from "./transcript.ts";

/**
 * A transcript to read. Images are inside the file, so that it needs no server; their data stands at its end, where it
 * does not come between the lines.
 */
export async function renderMarkdown(transcript: Transcript, readBlob: ReadBlob): Promise<string> {
  const pictures = new Pictures(readBlob);
  const blocks = [describeThread(transcript), ...describeFiles(transcript)];
  for (const entry of transcript.entries) blocks.push(...(await renderEntry(entry, pictures)));
  return `${[...blocks, ...pictures.definitions].filter((block) => block.trim() !== "").join("\n\n")}\n`;
}

async function renderEntry(entry: Entry, pictures: Pictures): Promise<string[]> {
  if (entry.kind === "user" && entry.code) {
    if (entry.remark === undefined) return ["---", "**You** ran:"];
    return ["---", `**You** *(${entry.remark})*`, fenceCode(entry.code, entry.text)];
  }
  if (entry.kind === "user") {
    const remark = entry.remark === undefined ? "" : ` *(${entry.remark})*`;
    return [`---`, `**You**${remark}`, quoteMarkdown(entry.text)];
  }
  if (entry.kind === "answer") return [entry.text.trim()];
  if (entry.kind === "remark") return [`*${entry.text}*`];
  return renderCall(entry.call, pictures);
}

async function renderCall(call: Call, pictures: Pictures): Promise<string[]> {
  const code = codeOf(call);
  if (!code) {
    const output = call.result && fence(call.result.output.slice(0, 2000));
    return [`*Used \`${call.tool || "a tool"}\`:*`, ...(output === undefined ? [] : [output])];
  }
  const blocks = [fenceCode(code.language, code.code)];
  for (const shown of call.shown) {
    if (shown.kind === "stream") blocks.push(fence(shown.text, "text"));
    else blocks.push(await renderResult(shown.result, pictures));
  }
  if (call.shown.length === 0 && call.codeRun?.output && !call.codeRun.error)
    blocks.push(fence(call.codeRun.output, "text"));
  if (call.codeRun?.error)
    blocks.push(fence(call.codeRun.error.traceback || describeError(call.codeRun.error), "text"));
  const end = describeEnd(call);
  if (end !== undefined) blocks.push(`*${end}*`);
  const files = call.artifacts.map(({ path }) => `\`${path.replaceAll("`", "'")}\``);
  if (files.length > 0) blocks.push(`*Files written: ${files.join(", ")}*`);
  return blocks;
}

function fenceCode(language: "python" | "shell", code: string): string {
  return fence(code, language === "shell" ? "bash" : "python");
}

async function renderResult(result: Result, pictures: Pictures): Promise<string> {
  if (result.image) return pictures.add(result.image);
  if (result.table) return tableToMarkdown(result.table);
  if (result.markdown !== undefined) return result.markdown;
  if (result.latex !== undefined) return result.latex;
  return result.text === undefined ? "" : fence(result.text, "text");
}

class Pictures {
  readonly definitions: string[] = [];
  readonly #readBlob: ReadBlob;

  constructor(readBlob: ReadBlob) {
    this.#readBlob = readBlob;
  }

  async add({ mime, url }: { mime: string; url: string }): Promise<string> {
    const bytes = await this.#readBlob(url);
    if (!bytes || !/^image\/[\w.+-]+$/.test(mime)) return "*(an image that is no longer kept)*";
    const name = `image-${this.definitions.length + 1}`;
    this.definitions.push(`[${name}]: data:${mime};base64,${Buffer.from(bytes).toString("base64")}`);
    return `![${name}][${name}]`;
  }
}

function describeThread({ title, threadId, createdAt }: Transcript): string {
  const name =
    title === null || title.trim() === "" ? "A conversation about data" : title.replace(/\s+/g, " ");
  return `# ${name}\n\nThread \`${threadId}\`, begun ${createdAt.slice(0, 10)}, exported from Atoll.`;
}

function describeFiles({ data }: Transcript): string[] {
  const files = [...new Set([...(data?.tables ?? []), ...(data?.others ?? [])].map(({ file }) => file))];
  if (files.length === 0) return [];
  return [
    `Files: ${files.map((file) => `\`${file.replaceAll("`", "'").replace(/\s+/g, " ")}\``).join(", ")}`,
  ];
}

function describeError({ name, value }: { name: string; value: string }): string {
  return `${name}: ${value}`;
}
