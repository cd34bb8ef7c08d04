import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, rename, rm, rmdir, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import type { FileChange } from "../../../contract/files.ts";
import { FileLedger, type FileQuota } from "./file-quota.ts";
import {
  type FileChanges,
  type FileRow,
  givenFolders,
  maxPathBytes,
  type RootName,
} from "../inside/kept-files.ts";

/** What is known of a file, folder or link of a sandbox. */
export interface StoredEntry {
  readonly kind: "file" | "folder" | "symlink";
  readonly mode: number;
  readonly modifiedMs: number;
  readonly target: string | null;
  readonly size: number;
  readonly hash?: string;
}

const rootNames: readonly RootName[] = ["workspace", "session", "outputs", "work"];
const maxSegmentBytes = 255;
const hashedAtOnce = 4 * 1024 * 1024;
const maxFailures = 20;
const maxNoted = 40_000;
const maxWaitingBytes = 32 * 1024 * 1024;
const maxWaitingChanges = 64;

/**
 * The durable copy of a sandbox's files, on the host: plain files below the sandbox's folder, and a list with what the
 * host's file system need not hold (modes, times, links). It is written by this process alone; what the interpreter
 * says is taken as hostile: names that could lead elsewhere are refused, links are only noted, and what is more than the
 * quota is not stored.
 */
export class FileStore {
  readonly #folder: string;
  readonly #entries = new Map<string, StoredEntry>();
  readonly #watchers = new Set<(change: FileChange & { root: RootName; path: string }) => void>();
  /** Of the run that goes on: what was there before it changed it. */
  #before: Map<string, StoredEntry | undefined> | undefined;
  #work: Promise<void> = Promise.resolve();
  #failures: string[] = [];
  readonly #ledger: FileLedger;
  #waitingChanges = 0;
  #waitingBytes = 0;

  constructor(folder: string, quota: FileQuota) {
    this.#folder = folder;
    this.#ledger = new FileLedger(quota);
  }

  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const list = await readFile(this.#listPath, "utf8").catch(() => "[]");
    for (const [key, entry] of JSON.parse(list) as [string, StoredEntry][]) {
      this.#entries.set(key, entry);
      this.#ledger.put(key, entry);
    }
  }

  /** Everything that is kept, with the content of files one at a time. */
  async *rows(): AsyncGenerator<{ row: FileRow; content: Uint8Array }> {
    await this.#work;
    for (const [key, entry] of this.#entries) {
      const [root, path] = splitKey(key);
      let content = new Uint8Array();
      if (entry.kind === "file") {
        const stored = await readFile(this.#place(root, path)).catch(() => undefined);
        // Taken away by somebody on the host.
        if (!stored) continue;
        content = stored;
      }
      const { kind, mode, modifiedMs, target } = entry;
      yield { row: [root, path, kind, mode, content.length, modifiedMs, target], content };
    }
  }

  /**
   * In the order in which it is told. `settled` says when it is on disk. Throws, and stores nothing of it, when it is
   * more than the quota.
   */
  apply(changes: FileChanges, body: Uint8Array): void {
    const problems = this.#count(changes);
    this.#waitingChanges++;
    this.#waitingBytes += body.length;
    this.#work = this.#work
      .then(() => this.#store(changes, problems, body))
      .catch((error: unknown) => this.#fail(error instanceof Error ? error.message : String(error)));
  }

  /** More waits to be written than should be kept in memory. */
  get isCongested(): boolean {
    return this.#waitingChanges > maxWaitingChanges || this.#waitingBytes > maxWaitingBytes;
  }

  async settled(): Promise<void> {
    await this.#work;
  }

  /** What could not be kept since this was last asked, in words. */
  takeFailures(): string[] {
    return this.#failures.splice(0);
  }

  startNoting(): void {
    this.#before = new Map();
  }

  /** What was there before, of all that has changed since; with what is there now. */
  stopNoting(): {
    root: RootName;
    path: string;
    before: StoredEntry | undefined;
    now: StoredEntry | undefined;
  }[] {
    const noted = [...(this.#before ?? [])].map(([key, before]) => {
      const [root, path] = splitKey(key);
      return { root, path, before, now: this.#entries.get(key) };
    });
    this.#before = undefined;
    return noted;
  }

  watch(listener: (change: FileChange & { root: RootName; path: string }) => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  /** Names for each row that is not kept why it is not. */
  #count({ changed, removed }: FileChanges): (string | undefined)[] {
    for (const [root, path] of removed) this.#ledger.remove(`${root}/${path}`);
    return changed.map(([root, path, kind, , size, , target]) => {
      const problem = whyNotKept(root, path) ?? this.#whyWithoutFolder(root, path);
      if (problem === undefined) this.#ledger.add(`${root}/${path}`, { kind, size, target });
      return problem;
    });
  }

  /** A folder comes before what is in it: none is made on the way, of which nobody would count the number. */
  #whyWithoutFolder(root: RootName, path: string): string | undefined {
    const end = path.lastIndexOf("/");
    const folder = `${root}/${path.slice(0, end)}`;
    return end === -1 || givenFolders.includes(folder) || this.#ledger.isFolder(folder)
      ? undefined
      : "its folder is not kept";
  }

  async #store(
    { changed, removed }: FileChanges,
    problems: readonly (string | undefined)[],
    body: Uint8Array,
  ): Promise<void> {
    try {
      // The deepest first, so that folders are empty when their turn comes.
      const outwards = removed.toSorted(([, one], [, other]) => other.length - one.length);
      for (const [root, path] of outwards) await this.#remove(root, path);
      let offset = 0;
      for (const [at, row] of changed.entries()) {
        const content = row[2] === "file" ? body.subarray(offset, (offset += row[4])) : undefined;
        const problem = problems[at];
        if (problem === undefined) await this.#put(row, content);
        else this.#fail(`${JSON.stringify(row[1]).slice(0, 200)} is not kept: ${problem}`);
      }
    } finally {
      this.#waitingChanges--;
      this.#waitingBytes -= body.length;
      // The last of those that wait writes it for all.
      if (this.#waitingChanges === 0) await this.#writeList();
    }
  }

  #fail(message: string): void {
    if (this.#failures.length < maxFailures) this.#failures.push(message);
    else this.#failures[maxFailures] = "There is more that is not kept.";
  }

  async #put(
    [root, path, kind, mode, size, modifiedMs, target]: FileRow,
    content?: Uint8Array,
  ): Promise<void> {
    const key = `${root}/${path}`;
    const known = this.#entries.get(key);
    const place = this.#place(root, path);
    const hash = content && (await hashOf(content));
    const entry = { kind, mode, modifiedMs, target, size, hash };
    if (known && known.kind !== kind) await rm(place, { recursive: true, force: true });
    if (kind === "folder") await mkdir(place, { recursive: true });
    else if (content && (known?.kind !== "file" || known.hash !== hash)) await this.#write(place, content);
    this.#note(key, known);
    this.#entries.set(key, entry);
    this.#tell(known ? "changed" : "created", root, path);
  }

  async #write(place: string, content: Uint8Array): Promise<void> {
    const temporary = join(this.#folder, `.new-${randomUUID()}`);
    await mkdir(dirname(place), { recursive: true });
    try {
      await writeFile(temporary, content, { mode: 0o600 });
      await rename(temporary, place);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async #remove(root: RootName, path: string): Promise<void> {
    const key = `${root}/${path}`;
    const known = this.#entries.get(key);
    if (!known || whyNotKept(root, path)) return;
    this.#note(key, known);
    this.#entries.delete(key);
    const place = this.#place(root, path);
    const facts = await lstat(place).catch(() => undefined);
    // What a folder still holds is told of by itself.
    if (facts?.isDirectory()) await rmdir(place).catch(() => {});
    else if (facts) await unlink(place);
    this.#tell("removed", root, path);
  }

  #note(key: string, known: StoredEntry | undefined): void {
    if (this.#before && this.#before.size < maxNoted && !this.#before.has(key)) this.#before.set(key, known);
  }

  #tell(kind: FileChange["kind"], root: RootName, path: string): void {
    for (const listener of this.#watchers) listener({ kind, root, path });
  }

  async #writeList(): Promise<void> {
    const temporary = `${this.#listPath}.new`;
    await writeFile(temporary, JSON.stringify([...this.#entries]), { mode: 0o600 });
    await rename(temporary, this.#listPath);
  }

  get #listPath(): string {
    return join(this.#folder, "entries.json");
  }

  #place(root: RootName, path: string): string {
    return join(this.#folder, root, ...path.split("/"));
  }
}

/** In parts, between which others have their turn. */
async function hashOf(content: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < content.length; at += hashedAtOnce) {
    if (at > 0) await turn();
    hash.update(content.subarray(at, at + hashedAtOnce));
  }
  return hash.digest("hex");
}

function splitKey(key: string): [RootName, string] {
  const at = key.indexOf("/");
  return [key.slice(0, at) as RootName, key.slice(at + 1)];
}

/** Undefined for a name that means on the host what it says: something below the root. */
function whyNotKept(root: string, path: string): string | undefined {
  if (!(rootNames as readonly string[]).includes(root)) return "it is in no folder that is kept";
  if (typeof path !== "string" || path === "" || path.includes("\0")) return "it has no name";
  if (Buffer.byteLength(path) > maxPathBytes) return "its path is too long for the host";
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..") return "its name leads elsewhere";
    if (Buffer.byteLength(segment) > maxSegmentBytes) return "its name is too long for the host";
    if (process.platform === "win32" && /[\\:*?"<>|]/.test(segment)) return "its name cannot be on this host";
  }
  return undefined;
}
