import { encodeForm, type FileContent, type NamedFile } from "./form.ts";
import type { FileInfo, FileList, FilesWritten } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** The files of a thread's sandbox, or of a program's. Paths are absolute inside, or relative to /workspace. */
export interface Files {
  list(path?: string, options?: { recursive?: boolean } & CallOptions): Promise<FileList>;
  read(path: string, options?: CallOptions): Promise<Uint8Array>;
  readText(path: string, options?: CallOptions): Promise<string>;
  /** The raw answer, for ranges and streams: `end` is the last byte. */
  open(path: string, options?: { range?: { start: number; end?: number } } & CallOptions): Promise<Response>;
  /** With `expectedEtag` only if nobody else has written meanwhile: else `changed`. */
  write(
    path: string,
    content: FileContent,
    options?: { expectedEtag?: string | undefined } & CallOptions,
  ): Promise<FileInfo>;
  upload(files: readonly NamedFile[], folder?: string, options?: CallOptions): Promise<FilesWritten>;
  move(from: string, to: string, options?: { overwrite?: boolean } & CallOptions): Promise<FileInfo>;
  remove(path: string, options?: CallOptions): Promise<void>;
  /** A folder as a zip. */
  zip(folder?: string, options?: CallOptions): Promise<Response>;
  /** Where a browser finds the file. */
  url(path: string): string;
  /** Where a browser finds a folder as a zip; without one, all that a person has there. */
  zipUrl(folder?: string): string;
  /** Where a form with files for a folder is sent. */
  uploadUrl(folder: string): string;
}

type Noun = "Thread" | "Sandbox";

/** The two owners have the same routes under names of their own. */
export function createFiles(transport: Transport, noun: Noun, id: string): Files {
  const params = (noun === "Thread" ? { thread_id: id } : { sandbox_id: id }) as never;
  const read = `read${noun}File` as const;
  const files: Files = {
    list: (path, { recursive, signal } = {}) =>
      transport.call(`list${noun}Files`, {
        params,
        query: { path, recursive },
        signal,
      }),
    read: async (path, options) => new Uint8Array(await (await files.open(path, options)).arrayBuffer()),
    readText: async (path, options) => (await files.open(path, options)).text(),
    open: (path, { range, signal } = {}) =>
      transport.send(read, {
        params,
        query: { path },
        signal,
        ...(range ? { headers: { range: `bytes=${range.start}-${range.end ?? ""}` } } : {}),
      }),
    write: (path, content, { expectedEtag, signal } = {}) =>
      transport.call(`write${noun}File`, {
        params,
        query: { path, expected_etag: expectedEtag },
        rawBody: content as RequestInit["body"],
        signal,
      }),
    upload: (given, folder, { signal } = {}) => {
      const { body, headers } = encodeForm(given);
      const query = folder === undefined ? {} : { path: folder };
      return transport.call(`upload${noun}Files`, { params, query, rawBody: body, headers, signal });
    },
    move: (from, to, { overwrite, signal } = {}) =>
      transport.call(`move${noun}File`, {
        params,
        body: { from, to, overwrite },
        signal,
      }),
    remove: async (path, { signal } = {}) => {
      await transport.call(`delete${noun}File`, { params, query: { path }, signal });
    },
    zip: (folder, { signal } = {}) =>
      transport.send(`zip${noun}Files`, {
        params,
        query: folder === undefined ? {} : { path: folder },
        signal,
      }),
    url: (path) => transport.url(read, { params, query: { path } }),
    zipUrl: (folder) =>
      transport.url(`zip${noun}Files`, {
        params,
        query: folder === undefined ? { all: true } : { path: folder },
      }),
    uploadUrl: (folder) => transport.url(`upload${noun}Files`, { params, query: { path: folder } }),
  };
  return files;
}
