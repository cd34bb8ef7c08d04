import type { ThreadSandboxes } from "@atoll/lifecycle";
import { defaultLimits, type Limits } from "@atoll/sandbox";
import type { ChosenLimits } from "../limits/thread-limits.ts";
import type { Store, ThreadRecord } from "../store/contract.ts";

/** Less than this, and not even a kernel could save its variables. */
const leastDiskBytes = 256 * 1024;

export interface QuotaOptions {
  readonly store: Pick<Store, "threads" | "uploads" | "blobs">;
  readonly sandboxes: Pick<ThreadSandboxes, "describe" | "state">;
}

/** What a temporary thread may hold: uploads, files in its sandbox and kept copies of what it showed, together. */
export class Quota {
  readonly #options: QuotaOptions;

  constructor(options: QuotaOptions) {
    this.#options = options;
  }

  async usedBytes(thread: ThreadRecord): Promise<number> {
    return (await this.#outsideBytes(thread.id)) + (await this.#sandboxBytes(thread));
  }

  /** Undefined for a thread without a quota. */
  async roomBytes(threadId: string): Promise<number | undefined> {
    const thread = this.#options.store.threads.get(threadId);
    if (!thread?.temporary) return undefined;
    return Math.max(0, thread.temporary.maxBytes - (await this.usedBytes(thread)));
  }

  /** All copies that it may hold, as far as one knows without asking anybody. */
  keptBytes(threadId: string): number | undefined {
    const { temporary } = this.#options.store.threads.get(threadId) ?? {};
    return temporary && Math.max(0, temporary.maxBytes - temporary.sandboxBytes);
  }

  /** With what its sandbox is made: it may fill what the rest leaves of what was chosen. */
  async narrow(threadId: string, chosen: ChosenLimits): Promise<Partial<Limits>> {
    const { maxBytes } = this.#options.store.threads.get(threadId)?.temporary ?? {};
    if (maxBytes === undefined) return chosen;
    const leftBytes = Math.max(leastDiskBytes, maxBytes - (await this.#outsideBytes(threadId)));
    const diskBytes = Math.min(chosen.diskBytes, leftBytes);
    // The watch over the disk has to see that a file is too much: so one may be a little larger than all together.
    const fileSizeBytes = Math.min(defaultLimits.fileSizeBytes, diskBytes + diskBytes / 4);
    return { ...chosen, diskBytes: Math.floor(diskBytes), fileSizeBytes: Math.floor(fileSizeBytes) };
  }

  /** For the time when it cannot be asked. */
  async noteSandbox(threadId: string): Promise<void> {
    const { store, sandboxes } = this.#options;
    if (sandboxes.state(threadId) !== "hot") return;
    const thread = store.threads.get(threadId);
    const { metrics } = await sandboxes.describe(threadId);
    if (!thread?.temporary || !metrics || metrics.diskBytes === thread.temporary.sandboxBytes) return;
    await store.threads.noteTemporary(threadId, { sandboxBytes: metrics.diskBytes });
  }

  async #outsideBytes(threadId: string): Promise<number> {
    const { uploads, blobs } = this.#options.store;
    const files = await uploads.ofThread(threadId);
    return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) + blobs.usedBytes(threadId);
  }

  async #sandboxBytes({ id, temporary }: ThreadRecord): Promise<number> {
    const { sandboxes } = this.#options;
    const metrics = sandboxes.state(id) === "cold" ? undefined : (await sandboxes.describe(id)).metrics;
    return metrics?.diskBytes ?? temporary?.sandboxBytes ?? 0;
  }
}
