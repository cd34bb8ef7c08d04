import type { BlobStore, ThreadRecord } from "../store/contract.ts";
import type { StoredEvent } from "@atoll/protocol";
import { collect } from "../store/log/read-in-parts.ts";
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

export interface ExportInput {
  readonly thread: ThreadRecord;
  /** The log, oldest first, a part at a time. */
  readonly parts: AsyncIterable<readonly StoredEvent[]>;
  readonly blobs: BlobStore;
}

export interface Exported {
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>;
  readonly mime: string;
  readonly filename: string;
}

/** A thread in a form to keep: a reading of its log and of the images it names. */
export async function exportThread(format: keyof typeof mimes, input: ExportInput): Promise<Exported> {
  return {
    body: await render(format, input),
    mime: mimes[format],
    filename: makeFileName(input.thread, format),
  };
}

async function render(
  format: keyof typeof mimes,
  { thread, parts, blobs }: ExportInput,
): Promise<Exported["body"]> {
  if (format === "json")
    return ReadableStream.from(writeJson(thread, parts)).pipeThrough(new TextEncoderStream());
  const transcript = readTranscript(thread, await collect(parts));
  const readBlob = blobReader(thread.id, blobs);
  return format === "ipynb" ? renderNotebook(transcript, readBlob) : renderMarkdown(transcript, readBlob);
}

/** An event a line. */
async function* writeJson(
  thread: ExportInput["thread"],
  parts: ExportInput["parts"],
): AsyncGenerator<string> {
  yield `{"thread":${JSON.stringify(thread)},"events":[`;
  let separator = "\n";
  for await (const part of parts) {
    yield separator + part.map((event) => JSON.stringify(event)).join(",\n");
    separator = ",\n";
  }
  yield "\n]}\n";
}
