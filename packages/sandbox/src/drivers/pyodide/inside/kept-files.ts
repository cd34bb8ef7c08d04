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
export const keptRoots: readonly RootName[] = ["workspace", "session", "outputs", "work"];
const batchBytes = 16 * 1024 * 1024;
const batchEntries = 2000;
/** Gets its name when it is whole. */
const unfinished = /^\.[0-9a-f]{16}\.partial$/;

/** The files of which the host keeps a copy, and what has become of them since it was last told. */
export class KeptFiles {
  /** Something has changed. */
  isDirty = false;
  readonly #fs: EmscriptenFS;
  readonly #told = new Map<string, string>();

  constructor(fs: EmscriptenFS) {
    this.#fs = fs;
  }

  /** What is there now is known. How many there are. */
  begin(): number {
    for (const { key, signature } of this.#walk()) this.#told.set(key, signature);
    this.isDirty = false;
    return this.#told.size;
  }

  /** What has changed since the last time, in parts of a bearable size. */
  *changes(): Generator<{ changes: FileChanges; body: Uint8Array }> {
    if (!this.isDirty) return;
    this.isDirty = false;
    const seen = new Set<string>();
    let changed: FileRow[] = [];
    let parts: Uint8Array[] = [];
    let bytes = 0;
    const finish = (removed: [RootName, string][] = []) => {
      const batch = { changes: { changed, removed }, body: Buffer.concat(parts) };
      [changed, parts, bytes] = [[], [], 0];
      return batch;
    };
    const found = [...this.#walk()];
    for (const { key } of found) seen.add(key);
    const removed = [...this.#told.keys()].filter((key) => !seen.has(key));
    for (const key of removed) this.#told.delete(key);
    if (removed.length > 0)
      yield finish(
        removed.map((key) => [key.slice(0, key.indexOf("/")) as RootName, key.slice(key.indexOf("/") + 1)]),
      );
    for (const { key, signature, root, path, node } of found) {
      if (this.#told.get(key) === signature) continue;
      this.#told.set(key, signature);
      const content = this.#fs.isFile(node.mode) ? contentOf(node) : new Uint8Array();
      if (changed.length > 0 && (bytes + content.length > batchBytes || changed.length >= batchEntries))
        yield finish();
      changed.push(this.#row(root, path, node, content.length));
      parts.push(content);
      bytes += content.length;
    }
    if (changed.length > 0) yield finish();
  }

  #row(root: RootName, path: string, node: FileNode, size: number): FileRow {
    const kind = this.#fs.isDir(node.mode) ? "folder" : this.#fs.isLink(node.mode) ? "symlink" : "file";
    return [root, path, kind, node.mode & 0o7777, size, node.mtime, kind === "symlink" ? node.link : null];
  }

  *#walk(): Generator<{ key: string; signature: string; root: RootName; path: string; node: FileNode }> {
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
          };
          if (isDir) folders.push([`${path}/`, node]);
        }
      }
    }
  }
}

function contentOf({ contents, usedBytes }: FileNode): Uint8Array {
  const { buffer, byteOffset } = contents as Uint8Array;
  return new Uint8Array(buffer, byteOffset, usedBytes);
}
