import type { TreeRoot } from "../../../contract/trees.ts";
import type { EmscriptenFS, FileNode } from "./emscripten.ts";

export type RootName = TreeRoot | "work";
/** Root, path below it, kind, mode, size, modified (ms), target of a link. */
export type FileRow = [
  RootName,
  string,
  "file" | "folder" | "symlink",
  number,
  number,
  number,
  string | null,
];
export interface FileChanges {
  readonly changed: readonly FileRow[];
  readonly removed: readonly [RootName, string][];
}

export const roots: Readonly<Record<RootName | "data" | "tmp" | "shm", string>> = {
  workspace: "/workspace",
  session: "/session",
  data: "/data",
  outputs: "/data/outputs",
  work: "/work",
  tmp: "/tmp",
  shm: "/dev/shm",
};
/** Every interpreter has them from its start, and does not tell of them. */
export const givenFolders: readonly string[] = ["session/artifacts", "work/artifacts"];
export const keptRoots: readonly RootName[] = ["workspace", "session", "outputs", "work"];
/** Of what the host keeps. Folders at a longer path are told of, what is in them is not. */
export const maxPathBytes = 3500;
export const maxBatchRows = 2000;
const batchBytes = 16 * 1024 * 1024;
const batchNameChars = 1024 * 1024;
/** What a Date can be. */
const maxTimeMs = 8_640_000_000_000_000;
/** Gets its name when it is whole. */
const unfinished = /^\.[0-9a-f]{16}\.partial$/;

/** The files of which the host keeps a copy, and what has become of them since it was last told. */
export class KeptFiles {
  /** Something has changed. */
  isDirty = false;
  readonly #fs: EmscriptenFS;
  readonly #told = new Map<string, { readonly signature: string; readonly size: number }>();

  constructor(fs: EmscriptenFS) {
    this.#fs = fs;
  }

  /** What is there now is known. How many there are. */
  begin(): number {
    for (const { key, signature, size } of this.#walk()) this.#told.set(key, { signature, size });
    this.isDirty = false;
    return this.#told.size;
  }

  /** What has changed since the last time, in parts of a bearable size. */
  *changes(): Generator<{ changes: FileChanges; body: Uint8Array }> {
    if (!this.isDirty) return;
    this.isDirty = false;
    const found = [...this.#walk()];
    const seen = new Set(found.map(({ key }) => key));
    const removed = [...this.#told.keys()].filter((key) => !seen.has(key));
    for (const key of removed) this.#told.delete(key);
    for (const keys of inBatches(removed, (key) => [0, key.length]))
      yield { changes: { changed: [], removed: keys.map(splitKey) }, body: new Uint8Array() };
    const changed = found.filter(({ key, signature }) => this.#told.get(key)?.signature !== signature);
    // What has become smaller first, so that the host never has more than there is.
    const growth = ({ key, size }: Found) => size - (this.#told.get(key)?.size ?? 0);
    const ordered = changed
      .map((one) => [growth(one), one] as const)
      .toSorted(([one], [other]) => one - other);
    const entries = ordered.map(([, one]) => one);
    for (const { key, signature, size } of entries) this.#told.set(key, { signature, size });
    for (const batch of inBatches(entries, ({ key, size, node }) => [
      size,
      key.length + (node.link?.length ?? 0),
    ])) {
      const parts = batch.filter(({ node }) => this.#fs.isFile(node.mode)).map(({ node }) => contentOf(node));
      const rows = batch.map((one) => this.#row(one));
      yield { changes: { changed: rows, removed: [] }, body: Buffer.concat(parts) };
    }
  }

  #row({ root, path, node, size }: Found): FileRow {
    const kind = this.#fs.isDir(node.mode) ? "folder" : this.#fs.isLink(node.mode) ? "symlink" : "file";
    const modifiedMs = Math.min(maxTimeMs, Math.max(-maxTimeMs, node.mtime)) || 0;
    return [root, path, kind, node.mode & 0o7777, size, modifiedMs, kind === "symlink" ? node.link : null];
  }

  *#walk(): Generator<Found> {
    for (const root of keptRoots) {
      const folders: [string, FileNode][] = [["", this.#fs.lookupPath(roots[root]).node]];
      for (let next = folders.pop(); next; next = folders.pop()) {
        const [prefix, folder] = next;
        for (const [name, node] of Object.entries(folder.contents as Record<string, FileNode>)) {
          const path = prefix + name;
          const isDir = this.#fs.isDir(node.mode);
          if (!isDir && !this.#fs.isFile(node.mode) && !this.#fs.isLink(node.mode)) continue;
          if (unfinished.test(name)) continue;
          yield {
            key: `${root}/${path}`,
            signature: `${node.id}.${node.version ?? 0}`,
            root,
            path,
            node,
            size: this.#fs.isFile(node.mode) ? node.usedBytes : 0,
          };
          if (isDir && Buffer.byteLength(path) <= maxPathBytes) folders.push([`${path}/`, node]);
        }
      }
    }
  }
}

interface Found {
  readonly key: string;
  /** Another one after every change. */
  readonly signature: string;
  readonly root: RootName;
  readonly path: string;
  readonly node: FileNode;
  readonly size: number;
}

function splitKey(key: string): [RootName, string] {
  return [key.slice(0, key.indexOf("/")) as RootName, key.slice(key.indexOf("/") + 1)];
}

/** Of a size that a frame can have; `measure` gives bytes of content and characters of names. */
function* inBatches<Item>(
  items: readonly Item[],
  measure: (item: Item) => readonly [number, number],
): Generator<Item[]> {
  let batch: Item[] = [];
  let [bytes, chars] = [0, 0];
  for (const item of items) {
    const [itemBytes, itemChars] = measure(item);
    const isFull =
      batch.length >= maxBatchRows || bytes + itemBytes > batchBytes || chars + itemChars > batchNameChars;
    if (batch.length > 0 && isFull) {
      yield batch;
      [batch, bytes, chars] = [[], 0, 0];
    }
    batch.push(item);
    bytes += itemBytes;
    chars += itemChars;
  }
  if (batch.length > 0) yield batch;
}

function contentOf({ contents, usedBytes }: FileNode): Uint8Array {
  const { buffer, byteOffset } = contents as Uint8Array;
  return new Uint8Array(buffer, byteOffset, usedBytes);
}
