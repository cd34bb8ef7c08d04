import type { ExportInput, Exported } from "../services.ts";
import { blobReader } from "./blobs.ts";
import { makeFileName } from "./file-name.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderNotebook } from "./notebook.ts";
import { readTranscript } from "./transcript.ts";

const mimes = {
  ipynb: "application/x-ipynb+json",
  md: "text/markdown; charset=utf-8",
  json: "application/json",
} as const;

/** A thread in a form to keep: a reading of its log and of the images it names. */
export async function exportThread(format: keyof typeof mimes, input: ExportInput): Promise<Exported> {
  return {
    body: await render(format, input),
    mime: mimes[format],
    filename: makeFileName(input.thread, format),
  };
}

async function render(format: keyof typeof mimes, { thread, events, blobs }: ExportInput): Promise<string> {
  if (format === "json") return `${JSON.stringify({ thread, events }, undefined, 1)}\n`;
  const transcript = readTranscript(thread, events);
  const readBlob = blobReader(thread.id, blobs);
  return format === "ipynb" ? renderNotebook(transcript, readBlob) : renderMarkdown(transcript, readBlob);
}
