import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { AtollError } from "@atoll/sandbox";
import { iterateUntilAborted } from "@atoll/std";
import { toStorageError } from "../storage-error.ts";

/**
 * Writes a stream to a new file and hashes it on the way, in constant memory; on disk for good when this resolves.
 * A caller whom it fails has to remove the file.
 */
export async function writeHashed(
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: { maxBytes: number; signal?: AbortSignal; mode: number },
): Promise<{ sizeBytes: number; sha256: string }> {
  const file = await open(path, "wx", options.mode).catch((cause: unknown) => {
    throw toStorageError(cause);
  });
  try {
    const hash = createHash("sha256");
    const writer = new BlockWriter(file);
    let sizeBytes = 0;
    for await (const chunk of options.signal ? untilGivenUp(content, options.signal) : content) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > options.maxBytes) throw tooLarge(options.maxBytes);
      // The write of the block before goes on while this is hashed.
      await writer.add(chunk);
      hash.update(chunk);
    }
    await writer.finish();
    return { sizeBytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}

function untilGivenUp(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return iterateUntilAborted(
    content,
    signal,
    () => new AtollError("aborted", "The upload was canceled.", { cause: signal.reason }),
  );
}

export function tooLarge(maxBytes: number): AtollError {
  const limit = maxBytes >= megabyte ? `${Math.floor(maxBytes / megabyte)} MB` : `${maxBytes} bytes`;
  return new AtollError("too_large", `The file is larger than the limit of ${limit}.`);
}

const megabyte = 1024 * 1024;
const blockBytes = megabyte;
/** What waits in the system's cache for the disk is sent there early, so that the end does not wait for all of it. */
const syncEveryBytes = 64 * megabyte;

/** Gathers small chunks into large writes, one under way at a time. */
class BlockWriter {
  readonly #file: FileHandle;
  #chunks: Uint8Array[] = [];
  #gatheredBytes = 0;
  #unsyncedBytes = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #syncing: Promise<unknown> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.#chunks.push(chunk);
    this.#gatheredBytes += chunk.byteLength;
    if (this.#gatheredBytes >= blockBytes) await this.#write();
  }

  async finish(): Promise<void> {
    try {
      await this.#write();
      await this.#writing;
      await this.#syncing;
      await this.#file.sync();
    } catch (cause) {
      throw toStorageError(cause);
    }
  }

  async #write(): Promise<void> {
    const chunks = this.#chunks;
    const bytes = this.#gatheredBytes;
    this.#chunks = [];
    this.#gatheredBytes = 0;
    try {
      await this.#writing;
      if (chunks.length === 0) return;
      this.#unsyncedBytes += bytes;
      if (this.#unsyncedBytes >= syncEveryBytes) {
        this.#unsyncedBytes = 0;
        await this.#syncing;
        this.#syncing = quietly(this.#file.datasync());
      }
      this.#writing = quietly(writeAll(this.#file, chunks, bytes));
    } catch (cause) {
      throw toStorageError(cause);
    }
  }
}

/** A failure is for whoever awaits it later, not for the process. */
function quietly<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

/** A short write is how a disk says that it is filling up; what is left is tried again and then fails. */
async function writeAll(file: FileHandle, chunks: Uint8Array[], bytes: number): Promise<void> {
  const { bytesWritten } = await file.writev(chunks);
  if (bytesWritten === bytes) return;
  const rest = Buffer.concat(chunks).subarray(bytesWritten);
  for (let at = 0; at < rest.byteLength;) at += (await file.write(rest, at)).bytesWritten;
}
