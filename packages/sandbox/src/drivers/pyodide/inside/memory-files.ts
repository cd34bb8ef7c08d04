import type { EmscriptenFS, FileNode, Operation, OpsTable } from "./emscripten.ts";
import { type FileRow, givenFolders, KeptFiles, keptRoots, roots } from "./kept-files.ts";

/** Of a folder with its own limit. */
interface Budget {
  limitBytes: number;
  isReadOnly: boolean;
  usedBytes: number;
  readonly device: number;
}

export interface FileLimits {
  readonly fileSizeBytes: number;
  readonly diskBytes: number;
  readonly tmpBytes: number;
  readonly openFiles: number;
  readonly files: number;
}

interface Attributes {
  size?: number;
  atime?: number;
  mtime?: number;
  timestamp?: number;
}

const maxNameBytes = 255;
const maxTargetBytes = 4095;
/** What a Date can be: of another one Emscripten makes no time, but an error that ends the interpreter. */
const maxTimeMs = 8_640_000_000_000_000;
const umask = 0o022;
const writing = 0o3;
/** Limits on the interpreter's files. It sits below Python, in the operations that Emscripten's file system is made of. */
export class MemoryFiles {
  readonly kept: KeptFiles;
  readonly #fs: EmscriptenFS;
  readonly #errno: Readonly<Record<string, number>>;
  readonly #budgets = new Map<object, Budget>();
  readonly #disk: Budget = { limitBytes: Infinity, isReadOnly: false, usedBytes: 0, device: 2 };
  #limits: FileLimits | undefined;
  #files = 0;
  #lastChange = 0;

  constructor(fs: EmscriptenFS, errno: Readonly<Record<string, number>>) {
    this.#fs = fs;
    this.kept = new KeptFiles(fs);
    this.#errno = errno;
    this.#addBudget("/", { limitBytes: Infinity, isReadOnly: false, usedBytes: 0, device: 1 });
    for (const [at, [name, path]] of Object.entries(roots).entries()) {
      fs.mkdirTree(path);
      fs.mount(fs.filesystems.MEMFS, {}, path);
      const isKept = (keptRoots as readonly string[]).includes(name);
      this.#addBudget(
        path,
        isKept ? this.#disk : { limitBytes: Infinity, isReadOnly: false, usedBytes: 0, device: at + 3 },
      );
    }
    for (const path of givenFolders) fs.mkdirTree(`/${path}`);
    this.#wrapOperations(fs.filesystems.MEMFS.ops_table);
  }

  get usedBytes(): number {
    const budgets = new Set(this.#budgets.values());
    return [...budgets].reduce((sum, { usedBytes }) => sum + usedBytes, 0);
  }

  get diskBytes(): number {
    return this.#disk.usedBytes;
  }

  /** Before there are limits. */
  place(rows: readonly (FileRow | ["data", ...unknown[]])[], body: Uint8Array): void {
    let offset = 0;
    for (const [root, path, kind, mode, size, modifiedMs, target] of rows as FileRow[]) {
      const full = `${roots[root]}/${path}`;
      if (kind === "folder") this.#fs.mkdirTree(full);
      else {
        this.#fs.mkdirTree(full.slice(0, full.lastIndexOf("/")));
        if (kind === "symlink") this.#fs.symlink(target ?? "", full);
        else this.#fs.writeFile(full, body.subarray(offset, (offset += size)));
      }
      if (kind === "symlink") continue;
      this.#fs.chmod(full, mode);
      this.#fs.utime(full, modifiedMs, modifiedMs);
    }
  }

  /** What is there now is known; from here on it may grow by as much as this. */
  begin(limits: FileLimits): void {
    this.#limits = limits;
    this.#disk.limitBytes = limits.diskBytes;
    for (const name of ["tmp", "shm"] as const) this.#budgetAt(roots[name]).limitBytes = limits.tmpBytes;
    for (const path of ["/", roots.data]) this.#budgetAt(path).isReadOnly = true;
    this.#fs.MAX_OPEN_FDS = limits.openFiles - 1;
    this.#files = this.kept.begin();
  }

  #addBudget(path: string, budget: Budget): void {
    this.#budgets.set(this.#fs.lookupPath(path).node.mount, budget);
  }

  #budgetAt(path: string): Budget {
    return this.#budgetOf(this.#fs.lookupPath(path).node);
  }

  #budgetOf(node: FileNode): Budget {
    return this.#budgets.get(node.mount) ?? this.#disk;
  }

  #wrapOperations({ dir, file, link }: OpsTable): void {
    const wrap = (
      operations: Record<string, Operation>,
      name: string,
      around: (original: Operation) => Operation,
    ) => {
      const original = operations[name];
      if (original) operations[name] = around(original);
    };
    for (const { node } of [dir, file, link]) {
      wrap(node, "getattr", (original) => (of: FileNode) => this.#describe(of, original(of as never)));
      wrap(node, "setattr", (original) => (of: FileNode, facts: Attributes) => {
        this.#refuseReadOnly(of);
        for (const name of ["atime", "mtime", "timestamp"] as const)
          if (facts[name] !== undefined) facts[name] = boundTime(facts[name]);
        if (facts.size !== undefined && this.#fs.isFile(of.mode)) this.#checkGrowth(of, facts.size);
        this.#account(of, () => original(of as never, facts as never));
      });
    }
    wrap(file.stream, "write", (original) => (...args: never[]) => {
      const [{ node, position, flags }, , , length, at] = args as unknown as [
        { node: FileNode; position: number; flags: number },
        unknown,
        unknown,
        number,
        number | undefined,
      ];
      this.#refuseReadOnly(node);
      const start = flags & 0o2000 ? node.usedBytes : (at ?? position);
      this.#checkGrowth(node, start + length);
      return this.#account(node, () => original(...args));
    });
    file.stream["open"] = ({ node, flags }: { node: FileNode; flags: number }) => {
      if (flags & writing) this.#refuseReadOnly(node);
    };
    file.stream["close"] = ({ node }: { node: FileNode }) => {
      if (!node.isOrphan || this.#fs.streams.filter((stream) => stream?.node === node).length > 1) return;
      this.#budgetOf(node).usedBytes -= node.usedBytes;
      node.isOrphan = false;
    };
    const make = (parent: FileNode, child: string, work: () => unknown) => {
      this.#refuseReadOnly(parent);
      this.#refuseName(child);
      if (this.#limits && this.#files >= this.#limits.files) throw this.#error("ENOSPC");
      const made = work();
      this.#files++;
      this.#touch(made as FileNode);
      return made;
    };
    wrap(dir.node, "symlink", (original) => (parent: FileNode, child: string, target: string) => {
      if (Buffer.byteLength(target) > maxTargetBytes) throw this.#error("ENAMETOOLONG");
      return make(parent, child, () => original(parent as never, child as never, target as never));
    });
    wrap(
      dir.node,
      "mknod",
      (original) => (parent: FileNode, child: string, mode: number, device: number) =>
        // As everywhere: Emscripten has no umask.
        make(parent, child, () =>
          original(parent as never, child as never, (mode & ~umask) as never, device as never),
        ),
    );
    for (const name of ["unlink", "rmdir"])
      wrap(dir.node, name, (original) => (parent: FileNode, child: string) => {
        this.#refuseReadOnly(parent);
        const node = (parent.contents as Record<string, FileNode>)[child];
        original(parent as never, child as never);
        if (node) this.#forget(node);
      });
    wrap(dir.node, "rename", (original) => (node: FileNode, parent: FileNode, name: string) => {
      this.#refuseReadOnly(node);
      this.#refuseReadOnly(parent);
      this.#refuseName(name);
      const replaced = (parent.contents as Record<string, FileNode>)[name];
      original(node as never, parent as never, name as never);
      if (replaced && replaced !== node) this.#forget(replaced);
      this.#touch(node);
    });
  }

  /** Runs a change of a file's content or facts, and takes note of what it made of its size. */
  #account<Result>(node: FileNode, change: () => Result): Result {
    const before = this.#fs.isFile(node.mode) ? node.usedBytes : 0;
    const result = change();
    const after = this.#fs.isFile(node.mode) ? node.usedBytes : 0;
    this.#budgetOf(node).usedBytes += after - before;
    this.#touch(node);
    return result;
  }

  #forget(node: FileNode): void {
    this.#files--;
    this.kept.isDirty = true;
    if (!this.#fs.isFile(node.mode)) return;
    node.isOrphan = this.#fs.streams.some((stream) => stream?.node === node);
    if (!node.isOrphan) this.#budgetOf(node).usedBytes -= node.usedBytes;
  }

  #touch(node: FileNode): void {
    node.version = (node.version ?? 0) + 1;
    node.isTouched = true;
    this.kept.isDirty = true;
  }

  /** Whoever compares times sees every change: no two changes that are looked at happen at the same time. */
  #describe(node: FileNode, facts: unknown): unknown {
    if (node.isTouched) {
      node.isTouched = false;
      this.#lastChange = Math.max(Date.now(), this.#lastChange + 1);
      node.ctime = this.#lastChange;
      (facts as { ctime: Date }).ctime = new Date(node.ctime);
    }
    (facts as { dev: number }).dev = this.#budgetOf(node).device;
    return facts;
  }

  #checkGrowth(node: FileNode, size: number): void {
    if (!this.#limits || size <= node.usedBytes) return;
    if (size > this.#limits.fileSizeBytes) throw this.#error("EFBIG");
    const budget = this.#budgetOf(node);
    if (budget.usedBytes + size - node.usedBytes > budget.limitBytes) throw this.#error("ENOSPC");
  }

  #refuseReadOnly(node: FileNode): void {
    if (this.#budgetOf(node).isReadOnly) throw this.#error("EROFS");
  }

  #refuseName(name: string): void {
    // Folders are JavaScript objects: such a name would be no entry of one.
    if (name === "__proto__") throw this.#error("EINVAL");
    // Names are text here: other bytes would not come back as they were.
    if (!name.isWellFormed() || name.includes("\ufffd")) throw this.#error("EILSEQ");
    if (Buffer.byteLength(name) > maxNameBytes) throw this.#error("ENAMETOOLONG");
  }

  #error(name: string): Error {
    return new this.#fs.ErrnoError(this.#errno[name] ?? 28);
  }
}

function boundTime(timeMs: number): number {
  return Math.min(maxTimeMs, Math.max(-maxTimeMs, Number(timeMs))) || 0;
}
