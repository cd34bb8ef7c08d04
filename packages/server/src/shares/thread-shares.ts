import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { createGzip, gunzip } from "node:zlib";
import type { StoredEvent } from "@atoll/protocol";
import type { BlobStore, ThreadLog, ThreadRecord } from "../store/contract.ts";
import type { ShareRecord, ShareStore } from "../store/shares/contract.ts";
import { collect, readInParts } from "../store/log/read-in-parts.ts";
import { chooseShared, endTypes, renameShared } from "./shared-events.ts";

export interface SharedThread {
  readonly share: ShareRecord;
  /** JSON of an object with `title` and `events`: long, so that it is passed on as it is. */
  readonly content: Buffer;
}

/**
 * Threads that whoever has a link may read, as they were when they were shared: a copy of what is shown lies beside the
 * thread's images, so that any server can show it, and what is said later stays unseen.
 */
export class ThreadShares {
  readonly #shares: ShareStore;
  readonly #blobs: BlobStore;
  readonly #log: Pick<ThreadLog, "read">;

  constructor(parts: { shares: ShareStore; blobs: BlobStore; log: Pick<ThreadLog, "read"> }) {
    this.#shares = parts.shares;
    this.#blobs = parts.blobs;
    this.#log = parts.log;
  }

  /** Moves the thread's link on to this moment; without one, or with `isNew`, makes one. */
  async share(thread: ThreadRecord, { isNew = false } = {}): Promise<ShareRecord> {
    const known = isNew ? undefined : (await this.#shares.ofThread(thread.id)).at(-1);
    const shareId = known?.shareId ?? randomBytes(24).toString("base64url");
    const isShown = chooseShared(await collect(readInParts(this.#log, thread.id, { types: endTypes })));
    const hashes = new Set<string>();
    const write = (event: StoredEvent) => JSON.stringify(renameShared(event, shareId, hashes));
    const parts = readInParts(this.#log, thread.id);
    const text = Readable.from(writeShared(thread.title, parts, (part) => part.filter(isShown).map(write)));
    const snapshot = await buffer(text.compose(createGzip()));
    const now = new Date().toISOString();
    const share: ShareRecord = {
      shareId,
      threadId: thread.id,
      snapshot: this.#blobs.put(thread.id, snapshot),
      hashes: [...hashes],
      createdAt: known?.createdAt ?? now,
      sharedAt: now,
    };
    await this.#shares.put(share);
    if (known && known.snapshot !== share.snapshot) await this.#blobs.remove(thread.id, known.snapshot);
    return share;
  }

  list(threadId: string): Promise<readonly ShareRecord[]> {
    return this.#shares.ofThread(threadId);
  }

  async remove(threadId: string, shareId: string): Promise<boolean> {
    const share = await this.#shares.get(shareId);
    const isRemoved = await this.#shares.remove(threadId, shareId);
    if (isRemoved && share) await this.#blobs.remove(threadId, share.snapshot);
    return isRemoved;
  }

  /** Undefined when it was revoked, or its thread is gone. */
  async read(shareId: string): Promise<SharedThread | undefined> {
    const share = await this.#shares.get(shareId);
    if (!share || !this.#blobs.stat(share.threadId, share.snapshot)) return undefined;
    const content = await buffer(this.#blobs.read(share.threadId, share.snapshot));
    return { share, content: await decompress(content) };
  }

  /** Whose image or file this is, if the link shows it. */
  async findThread(shareId: string, hash: string): Promise<string | undefined> {
    const share = await this.#shares.get(shareId);
    return share?.hashes.includes(hash) ? share.threadId : undefined;
  }
}

async function* writeShared(
  title: string | null,
  parts: AsyncIterable<readonly StoredEvent[]>,
  write: (part: readonly StoredEvent[]) => string[],
): AsyncGenerator<string> {
  yield `{"title":${JSON.stringify(title)},"events":[`;
  let separator = "";
  for await (const part of parts) {
    const written = write(part);
    if (written.length === 0) continue;
    yield separator + written.join(",");
    separator = ",";
  }
  yield "]}";
}

const decompress = promisify(gunzip);
