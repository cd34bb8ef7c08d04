import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { StoredEvent } from "../schemas/events.ts";
import type { BlobStore, ThreadLog, ThreadRecord } from "../store/contract.ts";
import type { ShareRecord, ShareStore } from "../store/shares/contract.ts";
import { selectShared } from "./shared-events.ts";

export interface SharedThread {
  readonly title: string | null;
  readonly events: readonly StoredEvent[];
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
    const { events, hashes } = selectShared(this.#log.read(thread.id), shareId);
    const shown: SharedThread = { title: thread.title, events };
    const now = new Date().toISOString();
    const share: ShareRecord = {
      shareId,
      threadId: thread.id,
      snapshot: this.#blobs.put(thread.id, await compress(JSON.stringify(shown))),
      hashes,
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
  async read(shareId: string): Promise<(SharedThread & { readonly share: ShareRecord }) | undefined> {
    const share = await this.#shares.get(shareId);
    if (!share || !this.#blobs.stat(share.threadId, share.snapshot)) return undefined;
    const content = await buffer(this.#blobs.read(share.threadId, share.snapshot));
    return { share, ...(JSON.parse((await decompress(content)).toString("utf8")) as SharedThread) };
  }

  /** Whose image or file this is, if the link shows it. */
  async findThread(shareId: string, hash: string): Promise<string | undefined> {
    const share = await this.#shares.get(shareId);
    return share?.hashes.includes(hash) ? share.threadId : undefined;
  }
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
