import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import type { UploadRecord, UploadStore } from "../contract.ts";
import type { VerifiedFiles } from "../damage/verified-files.ts";
import type { FileFolders, Folders } from "../data-folder/folders.ts";
import { writeHashed } from "../data-folder/hashed-file.ts";
import { toStorageError } from "../storage-error.ts";
import { isFileId, isTemporaryFile, makeFileId } from "../temporary-ids.ts";
import { makeSafeName } from "./safe-name.ts";
import type { UploadTable } from "./upload-table.ts";

/** A file is written aside, then moved into place, then gets its row. What has no row does not exist. */
export class DiskUploadStore implements UploadStore {
  readonly #table: UploadTable;
  readonly #folders: Folders;
  readonly #verified: VerifiedFiles;

  constructor(table: UploadTable, folders: Folders, verified: VerifiedFiles) {
    this.#table = table;
    this.#folders = folders;
    this.#verified = verified;
  }

  async receive(
    name: string,
    content: AsyncIterable<Uint8Array>,
    options: { maxBytes: number; signal?: AbortSignal; isTemporary?: boolean },
  ): Promise<UploadRecord> {
    const fileId = makeFileId(options);
    const folders = this.#placeOf(fileId);
    const incoming = join(folders.incoming, fileId);
    const path = join(folders.uploads, fileId);
    try {
      // Readable by all inside a folder that nobody else enters: a sandbox can be shown the file without a copy.
      const written = await writeHashed(incoming, content, { ...options, mode: 0o444 });
      await rename(incoming, path);
      await syncFolder(folders.uploads);
      const record = { fileId, name: makeSafeName(name), ...written, createdAt: new Date().toISOString() };
      await this.#table.insert(record);
      this.#verified.noteGood(path);
      return record;
    } catch (error) {
      await Promise.all([rm(incoming, { force: true }), rm(path, { force: true })]);
      throw toUploadError(error);
    }
  }

  get(fileId: string): Promise<UploadRecord | undefined> {
    return this.#table.find(fileId);
  }

  ofThread(threadId: string): Promise<readonly UploadRecord[]> {
    return this.#table.ofThread(threadId);
  }

  async remove(fileId: string): Promise<boolean> {
    if (!(await this.#table.markRemoved(fileId))) return false;
    await this.removeUnused();
    return true;
  }

  verify({ fileId, sha256, name }: UploadRecord): Promise<void> {
    return this.#verified.verify(this.hostPath(fileId), sha256, `The uploaded file ${JSON.stringify(name)}`);
  }

  hostPath(fileId: string): string {
    if (!isFileId(fileId)) throw new AtollError("not_found", "There is no such file.");
    return join(this.#placeOf(fileId).uploads, fileId);
  }

  async removeIfUnused(fileIds: readonly string[]): Promise<void> {
    await this.#table.markUnused(fileIds);
    await this.removeUnused();
  }

  async removeStale(beforeMs: number): Promise<void> {
    if ((await this.#table.markStale(beforeMs)) > 0) await this.removeUnused();
  }

  /** Lets go of removed files that no thread uses any more. */
  async removeUnused(): Promise<void> {
    for (const fileId of await this.#table.takeUnused()) {
      await rm(this.hostPath(fileId), { force: true });
    }
  }

  #placeOf(fileId: string): FileFolders {
    return isTemporaryFile(fileId) ? this.#folders.temporary : this.#folders;
  }
}

/** So that the file's name in its folder is as safe from a power cut as its content. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The disk's failures are ours to word; those of the stream that was read are the sender's. */
function toUploadError(error: unknown): unknown {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return code === "ENOSPC" || code === "EDQUOT" || (syscall !== undefined && syscall !== "read")
    ? toStorageError(error)
    : error;
}
