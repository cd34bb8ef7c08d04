import { createHash, randomUUID } from "node:crypto";
import { createReadStream, existsSync, statSync } from "node:fs";
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { copyFile, link, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { AtollError } from "@atoll/sandbox";
import type { BlobStore } from "../contract.ts";
import type { VerifiedFiles } from "../damage/verified-files.ts";
import { type Folders, listFileFolders } from "../data-folder/folders.ts";
import { writeHashed } from "../data-folder/hashed-file.ts";
import { isOld } from "../data-folder/leftovers.ts";
import { toStorageError } from "../storage-error.ts";
import { isTemporaryThread } from "../temporary-ids.ts";

/** One file for each content, named by its hash, in the thread's own folder. */
export class DiskBlobStore implements BlobStore {
  readonly #folders: Folders;
  readonly #verified: VerifiedFiles;

  constructor(folders: Folders, verified: VerifiedFiles) {
    this.#folders = folders;
    this.#verified = verified;
  }

  put(threadId: string, content: Uint8Array): string {
    const hash = createHash("sha256").update(content).digest("hex");
    // One that nobody has looked at since the start may be damaged: this replaces it.
    if (this.stat(threadId, hash) && this.#verified.isGood(this.#path(threadId, hash))) return hash;
    const aside = this.#makeAside(threadId);
    try {
      const file = openSync(aside, "wx", 0o600);
      try {
        writeFileSync(file, content);
        fdatasyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(aside, this.#path(threadId, hash));
      this.#verified.noteGood(this.#path(threadId, hash));
      return hash;
    } catch (cause) {
      rmSync(aside, { force: true });
      throw toStorageError(cause);
    }
  }

  async putStream(
    threadId: string,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; expectedHash?: string },
  ): Promise<string | undefined> {
    const aside = this.#makeAside(threadId);
    try {
      const { sha256 } = await writeHashed(aside, content, { maxBytes: options.maxBytes, mode: 0o600 });
      if (options.expectedHash !== undefined && options.expectedHash !== sha256) return undefined;
      await rename(aside, this.#path(threadId, sha256));
      this.#verified.noteGood(this.#path(threadId, sha256));
      return sha256;
    } catch (error) {
      if (error instanceof AtollError && error.code === "too_large") return undefined;
      throw error;
    } finally {
      await rm(aside, { force: true });
    }
  }

  stat(threadId: string, hash: string): { sizeBytes: number } | undefined {
    if (!hashPattern.test(hash) || !threadPattern.test(threadId)) return undefined;
    const facts = statSync(this.#path(threadId, hash), { throwIfNoEntry: false });
    return facts === undefined ? undefined : { sizeBytes: facts.size };
  }

  usedBytes(threadId: string): number {
    const folder = join(this.#folderOf(checkThreadId(threadId)), "blobs");
    const hashes = existsSync(folder) ? readdirSync(folder) : [];
    return hashes.reduce((sum, hash) => sum + (this.stat(threadId, hash)?.sizeBytes ?? 0), 0);
  }

  read(threadId: string, hash: string, range?: { start: number; end: number }): ReadableStream<Uint8Array> {
    if (this.stat(threadId, hash) === undefined) throw new AtollError("not_found", "There is no such file.");
    return Readable.toWeb(
      Readable.from(this.#readVerified(threadId, hash, range)),
    ) as ReadableStream<Uint8Array>;
  }

  async *#readVerified(
    threadId: string,
    hash: string,
    range?: { start: number; end: number },
  ): AsyncGenerator<Uint8Array> {
    const path = this.#path(threadId, hash);
    await this.#verified.verify(path, hash, "This image or file of the thread");
    yield* createReadStream(path, range) as AsyncIterable<Uint8Array>;
  }

  async share(threadId: string, hash: string, otherThreadId: string): Promise<boolean> {
    if (this.stat(threadId, hash) === undefined) return false;
    if (this.stat(otherThreadId, hash) !== undefined) return true;
    const aside = this.#makeAside(otherThreadId);
    const path = this.#path(threadId, hash);
    try {
      await link(path, aside).catch(() => copyFile(path, aside));
      await rename(aside, this.#path(otherThreadId, hash));
      return true;
    } catch (cause) {
      await rm(aside, { force: true });
      // The thread is being removed.
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw toStorageError(cause);
    }
  }

  async remove(threadId: string, hash: string): Promise<void> {
    if (this.stat(threadId, hash)) await rm(this.#path(threadId, hash), { force: true });
  }

  async removeThread(threadId: string): Promise<void> {
    await rm(this.#folderOf(checkThreadId(threadId)), { recursive: true, force: true });
  }

  /** Removes the folders of threads that are gone. */
  sweep(isThread: (threadId: string) => boolean): void {
    for (const { name, folder } of this.#list()) {
      if (!isThread(name)) rmSync(folder, { recursive: true, force: true });
      else rmSync(join(folder, "incoming"), { recursive: true, force: true });
    }
  }

  /** The same where several servers make threads: a thread is known before it has a folder. */
  async sweepShared(isThread: (threadId: string) => Promise<boolean>): Promise<void> {
    for (const { name, folder } of this.#list()) {
      if (!(await isThread(name))) await rm(folder, { recursive: true, force: true });
      else await removeOld(join(folder, "incoming"));
    }
  }

  #makeAside(threadId: string): string {
    const folder = this.#folderOf(checkThreadId(threadId));
    const incoming = join(folder, "incoming");
    try {
      for (const path of [join(folder, "blobs"), incoming]) mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw toStorageError(cause);
    }
    return join(incoming, randomUUID());
  }

  #path(threadId: string, hash: string): string {
    return join(this.#folderOf(threadId), "blobs", hash);
  }

  #folderOf(threadId: string): string {
    const { threads } = isTemporaryThread(threadId) ? this.#folders.temporary : this.#folders;
    return join(threads, threadId);
  }

  #list(): { name: string; folder: string }[] {
    return listFileFolders(this.#folders).flatMap(({ threads }) =>
      readdirSync(threads).map((name) => ({ name, folder: join(threads, name) })),
    );
  }
}

/** Parts of files that no living server is at work on. */
async function removeOld(folder: string): Promise<void> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const path of names.map((name) => join(folder, name)))
    if (isOld(path)) await rm(path, { force: true });
}

const hashPattern = /^[0-9a-f]{64}$/;
const threadPattern = /^[A-Za-z0-9_-]{6,64}$/;

function checkThreadId(threadId: string): string {
  if (threadPattern.test(threadId)) return threadId;
  throw new AtollError("invalid_argument", "This cannot be the id of a thread.");
}
