/** What is used of Emscripten's file system, whose files are memory of this process. */
export interface EmscriptenFS {
  readonly filesystems: { readonly MEMFS: { readonly ops_table: OpsTable } };
  readonly streams: readonly ({ readonly node: FileNode } | null | undefined)[];
  MAX_OPEN_FDS: number;
  readonly ErrnoError: new (errno: number) => Error;
  mount(type: unknown, options: object, path: string): FileNode;
  mkdirTree(path: string): void;
  lookupPath(path: string): { node: FileNode };
  writeFile(path: string, data: Uint8Array, options?: { mode?: number }): void;
  symlink(target: string, path: string): void;
  chmod(path: string, mode: number): void;
  utime(path: string, atimeMs: number, mtimeMs: number): void;
  chdir(path: string): void;
  makedev(major: number, minor: number): number;
  registerDevice(device: number, operations: object): void;
  mkdev(path: string, mode: number, device: number): void;
  isFile(mode: number): boolean;
  isDir(mode: number): boolean;
  isLink(mode: number): boolean;
}

export interface FileNode {
  readonly id: number;
  readonly name: string;
  readonly mode: number;
  readonly mount: object;
  readonly parent: FileNode;
  readonly mtime: number;
  ctime: number;
  /** Of a folder by name, of a file its bytes. */
  readonly contents: Record<string, FileNode> | Uint8Array;
  readonly usedBytes: number;
  readonly link: string;
  /** Ours: raised by every change. */
  version?: number;
  /** Ours: changed since anybody asked for its times. */
  isTouched?: boolean;
  /** Ours: has no name any more, and takes up space until it is closed. */
  isOrphan?: boolean;
}

export type Operation = (...args: never[]) => unknown;
export type OpsTable = Record<"dir" | "file" | "link", Record<"node" | "stream", Record<string, Operation>>>;
