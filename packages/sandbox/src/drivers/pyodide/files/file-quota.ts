import { AtollError } from "../../../errors.ts";
import {
  either,
  fields,
  list,
  nothing,
  oneOf,
  row,
  type Shape,
  text,
  whole,
} from "../../../guest/wire/shapes.ts";
import { type FileChanges, keptRoots, maxBatchRows } from "../inside/kept-files.ts";

/** What a sandbox's files may take on the host, whatever its interpreter says of them. */
export interface FileQuota {
  readonly bytes: number;
  readonly entries: number;
}

/** Of paths and targets of links, which the host has in memory. */
const maxNameBytes = 16 * 1024 * 1024;
const maxPathChars = 4096;
/** What a Date can be. */
const maxTimeMs = 8_640_000_000_000_000;

const time: Shape = (value, place) =>
  typeof value === "number" && Math.abs(value) <= maxTimeMs ? undefined : `${place} is no time`;
const root = oneOf(...keptRoots);
const path = text(maxPathChars);
const changesShape = fields({
  changed: list(
    row(
      root,
      path,
      oneOf("file", "folder", "symlink"),
      whole(0, 0o7777),
      whole(0, Number.MAX_SAFE_INTEGER),
      time,
      either(nothing, path),
    ),
    maxBatchRows,
  ),
  removed: list(row(root, path), maxBatchRows),
});

/** Parses what an interpreter says has become of its files. An interpreter of ours never says what is refused here. */
export function parseFileChanges(data: unknown, body: Uint8Array): FileChanges {
  const fault = changesShape(data, "files");
  if (fault) throw breach(fault);
  const changes = data as FileChanges;
  const bytes = changes.changed.reduce((sum, [, , kind, , size]) => sum + (kind === "file" ? size : 0), 0);
  if (bytes !== body.length) throw breach("the content of files has another size than they have");
  return changes;
}

interface Counted {
  readonly kind: "file" | "folder" | "symlink";
  readonly size: number;
  readonly target: string | null;
}

/** Counts what is stored, before it is. */
export class FileLedger {
  readonly #quota: FileQuota;
  readonly #entries = new Map<string, { bytes: number; nameBytes: number; isFolder: boolean }>();
  #bytes = 0;
  #nameBytes = 0;

  constructor(quota: FileQuota) {
    this.#quota = quota;
  }

  isFolder(key: string): boolean {
    return this.#entries.get(key)?.isFolder ?? false;
  }

  /** What is there already, even if it is more than may be added. */
  put(key: string, { kind, size, target }: Counted): void {
    this.remove(key);
    const bytes = kind === "file" ? size : 0;
    const nameBytes = Buffer.byteLength(key) + Buffer.byteLength(target ?? "");
    this.#entries.set(key, { bytes, nameBytes, isFolder: kind === "folder" });
    this.#bytes += bytes;
    this.#nameBytes += nameBytes;
  }

  remove(key: string): void {
    const known = this.#entries.get(key);
    if (!known) return;
    this.#entries.delete(key);
    this.#bytes -= known.bytes;
    this.#nameBytes -= known.nameBytes;
  }

  /** The same with what is new. Throws when it grows past the quota. */
  add(key: string, counted: Counted): void {
    const before = { bytes: this.#bytes, nameBytes: this.#nameBytes, entries: this.#entries.size };
    this.put(key, counted);
    if (this.#bytes > Math.max(this.#quota.bytes, before.bytes))
      throw breach(`its files have more than ${this.#quota.bytes} bytes (diskBytes)`);
    if (this.#entries.size > Math.max(this.#quota.entries, before.entries))
      throw breach(`it has more than ${this.#quota.entries} files`);
    if (this.#nameBytes > Math.max(maxNameBytes, before.nameBytes))
      throw breach(`the names of its files have more than ${maxNameBytes} bytes`);
  }
}

function breach(message: string): AtollError {
  return new AtollError("protocol_error", message);
}
