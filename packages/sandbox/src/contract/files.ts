import type { CallOptions } from "./call.ts";

/** Paths are absolute inside the sandbox, or relative to its workspace. Everything happens in the sandbox's own view. */
export interface Files {
  /** The whole file. Fails with `too_large` past `maxBytes` (default 64 MiB): use `readStream` there. */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
  readText(path: string, options?: ReadOptions): Promise<string>;
  readStream(
    path: string,
    options?: { offset?: number; length?: number; signal?: AbortSignal },
  ): ReadableStream<Uint8Array>;
  /** Replaces the file in one step: a reader sees the old content or the new, never a part. Makes missing folders. */
  write(path: string, data: WriteData, options?: WriteOptions): Promise<FileStat>;
  list(path?: string, options?: ListOptions): Promise<readonly FileStat[]>;
  stat(path: string, options?: CallOptions): Promise<FileStat>;
  exists(path: string, options?: CallOptions): Promise<boolean>;
  mkdir(path: string, options?: CallOptions): Promise<void>;
  move(from: string, to: string, options?: { overwrite?: boolean } & CallOptions): Promise<void>;
  /** Files, or folders with all they hold. Something that is not there is not an error. */
  remove(path: string, options?: CallOptions): Promise<void>;
  /** Changes below a folder until the signal aborts. Paths that come back, here and below, are absolute. */
  watch(path: string, options?: { signal?: AbortSignal }): AsyncIterable<FileChange>;
  glob(pattern: string, options?: GlobOptions): Promise<readonly string[]>;
  grep(pattern: string, options?: GrepOptions): Promise<GrepResult>;
}

export type WriteData = string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface ReadOptions extends CallOptions {
  offset?: number;
  length?: number;
  maxBytes?: number;
}

export interface WriteOptions extends CallOptions {
  append?: boolean;
  /** Permission bits, e.g. 0o755. */
  mode?: number;
}

export interface ListOptions extends CallOptions {
  recursive?: boolean;
  /** At most this many entries (default 10,000); more is the error `too_many_entries`. */
  maxEntries?: number;
}

export interface FileStat {
  readonly path: string;
  readonly name: string;
  readonly kind: "file" | "folder" | "symlink" | "other";
  readonly sizeBytes: number;
  readonly mode: number;
  readonly modifiedAt: string;
  readonly linkTarget?: string;
  /** Why nothing more is known of it than its name: its size, mode and time say nothing then. */
  readonly problem?: string;
}

export interface FileChange {
  readonly kind: "created" | "changed" | "removed";
  readonly path: string;
}

export interface GlobOptions extends CallOptions {
  cwd?: string;
  maxEntries?: number;
}

export interface GrepOptions extends CallOptions {
  path?: string;
  /** Only files whose name or relative path matches this glob. */
  glob?: string;
  ignoreCase?: boolean;
  /** Lines around each match. */
  context?: number;
  maxMatches?: number;
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[];
  readonly truncated: boolean;
}

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}
