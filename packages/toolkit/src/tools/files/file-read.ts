import { readFileSync } from "node:fs";
import { AtollError, type FileStat } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { failure, success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { pathInput } from "../paths.ts";
import { runProgram } from "../program.ts";
import { type LinesRead, readLines } from "./lines.ts";

const MAX_LINES = 2000;
const MAX_MEDIA_BYTES = 10 * 1024 * 1024;
const MAX_PDF_TEXT_BYTES = 8 * 1024 * 1024;
const EXIT_NO_PDF_READER = 3;

const input = z.strictObject({
  file: pathInput,
  start_line: z.int().min(1).optional().describe("First line to read, counted from 1"),
  end_line: z.int().min(1).optional().describe("Last line to read"),
  encoding: z.string().optional().describe("Of a text file that is not UTF-8, e.g. gbk or latin1"),
});

type Range = { first: number; last: number };

export const fileRead = defineTool(import.meta.url, {
  name: "file_read",
  input,
  isReadOnly: true,
  async run({ file, start_line: first = 1, end_line, encoding }, context) {
    const range = { first, last: Math.min(end_line ?? Infinity, first + MAX_LINES - 1) };
    if (range.last < first) return failure("end_line is before start_line.");
    if (encoding !== undefined && !isEncoding(encoding))
      return failure(`There is no encoding "${encoding}".`);
    const { sandbox, signal } = context;
    const stat = await sandbox.files.stat(file, { signal });
    const format = sniffFormat(await sandbox.files.read(file, { length: 16, signal }));
    if (format.kind === "image") return showImage(stat, format.mime, context);
    if (format.kind === "pdf") return showPdf(stat, range, context);
    return showText(stat, range, encoding ?? format.encoding, context);
  },
});

async function showText(
  { path, sizeBytes }: FileStat,
  range: Range,
  encoding: string,
  { sandbox, signal, maxOutputChars }: ToolContext,
): Promise<ToolOutput> {
  const stream = sandbox.files.readStream(path, { signal });
  const read = await readLines(stream, { ...range, maxOutputChars, encoding });
  if (read.isBinary) return failure(`${path} is not text (${sizeBytes} bytes). Read it with execute_python.`);
  return showLines(path, range, read);
}

async function showImage({ path, name }: FileStat, mime: string, context: ToolContext): Promise<ToolOutput> {
  const bytes = await readMedia(path, context);
  if (!bytes) return failure(`${path} is a picture over ${MAX_MEDIA_BYTES} bytes: make a smaller one of it.`);
  const text = `${path} is a picture (${mime}, ${bytes.length} bytes).`;
  return success(text, { images: [{ name, mime, base64: bytes.toString("base64") }] });
}

async function showPdf({ path, name }: FileStat, range: Range, context: ToolContext): Promise<ToolOutput> {
  const text = await readPdf(path, context);
  if (text !== undefined) {
    const { maxOutputChars } = context;
    return showLines(path, range, await readLines(new Blob([text]).stream(), { ...range, maxOutputChars }));
  }
  const note = `${path} is a PDF, and nothing in the sandbox can read its text.`;
  const bytes = await readMedia(path, context);
  if (!bytes) return failure(note);
  return success(note, { files: [{ name, mime: "application/pdf", base64: bytes.toString("base64") }] });
}

function showLines(path: string, { first }: Range, read: LinesRead): ToolOutput {
  if (read.lines.length === 0) {
    return first === 1 ? success("(the file is empty)") : failure(`${path} has ${read.lastLine} lines.`);
  }
  const note = read.hasMore
    ? [`[More lines follow. Go on with start_line=${first + read.lines.length}.]`]
    : [];
  const text = [...read.lines.map((line, index) => `${first + index}\t${line}`), ...note].join("\n");
  return success(text, { data: { first_line: first, lines: read.lines, has_more: read.hasMore } });
}

/** Undefined for what is too large to be handed on. */
async function readMedia(path: string, { sandbox, signal }: ToolContext): Promise<Buffer | undefined> {
  try {
    return Buffer.from(await sandbox.files.read(path, { maxBytes: MAX_MEDIA_BYTES, signal }));
  } catch (error) {
    if (error instanceof AtollError && error.code === "too_large") return undefined;
    throw error;
  }
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label) instanceof TextDecoder;
  } catch {
    return false;
  }
}

type FileFormat =
  | { readonly kind: "image"; readonly mime: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "text"; readonly encoding: string };

/** What a file is, by its first 16 bytes. Its name may be wrong. */
function sniffFormat(head: Uint8Array): FileFormat {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return { kind: "image", mime: "image/png" };
  if (text.startsWith("\xff\xd8\xff")) return { kind: "image", mime: "image/jpeg" };
  if (/^GIF8[79]a/.test(text)) return { kind: "image", mime: "image/gif" };
  if (/^RIFF[^]{4}WEBP/.test(text)) return { kind: "image", mime: "image/webp" };
  if (text.startsWith("%PDF-")) return { kind: "pdf" };
  if (text.startsWith("\xff\xfe")) return { kind: "text", encoding: "utf-16le" };
  if (text.startsWith("\xfe\xff")) return { kind: "text", encoding: "utf-16be" };
  return { kind: "text", encoding: "utf-8" };
}

/** The text of a PDF, a line for each page's beginning; undefined where the sandbox has nothing that can read it. */
async function readPdf(path: string, context: ToolContext): Promise<string | undefined> {
  if (!context.sandbox.info.capabilities.shell) return undefined;
  program ??= readFileSync(new URL("pdf_text.py", import.meta.url), "utf8");
  const options = { maxOutputBytes: MAX_PDF_TEXT_BYTES, timeoutMs: 60_000 };
  const { status, exitCode, stdout } = await runProgram(context, ["python3", "-c", program, path], options);
  return status === "ok" && exitCode !== EXIT_NO_PDF_READER ? stdout : undefined;
}

let program: string | undefined;
