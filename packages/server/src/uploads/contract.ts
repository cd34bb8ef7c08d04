import type { Readable } from "node:stream";

/** What is needed of a request: node's `IncomingMessage` with its body, or a web request's parts. */
export interface UploadRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable | AsyncIterable<Uint8Array>;
}

/** Where files go: the upload store, or a sandbox. */
export interface UploadSink<Kept> {
  /** In whole or not at all. */
  receive(
    name: string,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal: AbortSignal },
  ): Promise<Kept>;
  /** The request failed after this file was kept: nobody will know of it. */
  discard(kept: Kept): Promise<unknown>;
}

export interface UploadOptions<Kept> {
  readonly sink: UploadSink<Kept>;
  /** Of each file. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}
