import type { CallOptions } from "./call.ts";

/** All that a sandbox keeps, whole folders at a time: for the owner who records or copies it. */
export interface Trees {
  /** Everything in the workspace, the session and the outputs, except snapshots and unfinished uploads. */
  scan(options?: ScanOptions): Promise<TreeScan>;
  /** The content of many files in few round trips; undefined for one that changed since it was scanned. */
  pack(files: readonly TreeEntry[], options?: CallOptions): Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * Makes the entries, each in the place of what is there, and folders on the way to them. Ends with modes and times,
   * so it is called with all entries of a tree at once. What could not be made comes back with the reason.
   */
  unpack(entries: Iterable<TreeContent>, options?: CallOptions): Promise<readonly TreeRefusal[]>;
}

export interface ScanOptions extends CallOptions {
  /** The fingerprint of an earlier scan: if nothing has changed since, `entries` is undefined. */
  unless?: string;
  /** Default: 100,000. More is the error `too_many_entries`. */
  maxEntries?: number;
}

export interface TreeScan {
  readonly fingerprint: string;
  readonly entries: readonly TreeEntry[] | undefined;
  /** What cannot be recorded: sockets, devices, folders closed to the sandbox itself. */
  readonly skipped: readonly TreeRefusal[];
}

export interface TreePlace {
  readonly root: TreeRoot;
  /** Below the root, without a leading slash. */
  readonly path: string;
}

export interface TreeEntry extends TreePlace {
  readonly kind: "file" | "folder" | "symlink";
  readonly mode: number;
  readonly sizeBytes: number;
  readonly modifiedUs: number;
  /** Another one after every change of a file, also of one that was given its old times back. */
  readonly signature: string;
  readonly linkTarget?: string;
}

export interface TreeContent extends TreeEntry {
  /** Of a file. */
  readonly content?: Uint8Array | (() => ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>);
}

export interface TreeRefusal extends TreePlace {
  readonly reason: string;
}

/** The folders that stay with a sandbox; where they are is in `info.paths`. */
export type TreeRoot = "workspace" | "session" | "outputs";
