import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { AtollError, Sandbox } from "@atoll/sandbox";
import type { LifecycleContext } from "../context.ts";
import type { BranchResult, WakeOptions } from "../contract.ts";
import { hasSandbox } from "../ownership.ts";
import { findActivity, type Suspender } from "../suspend.ts";
import type { LiveSandbox, ThreadSandbox } from "../thread-sandbox.ts";
import type { Waker } from "../wake.ts";
import { CheckpointStore } from "./checkpoint-store.ts";
import type { Checkpoint } from "./contract.ts";
import { recordCheckpoint } from "./record.ts";
import { restoreCheckpoint } from "./restore.ts";

/** A store caches what is on disk, for up to this many threads at a time. */
const MAX_CACHED_STORES = 256;
const THREAD_ID_PATTERN = /^[A-Za-z0-9_-]{6,64}$/;

export interface ThreadCheckpointsOptions {
  readonly folder: string;
  budgetBytes(threadId: string): number;
  readonly snapshotTimeoutMs: number;
  readonly context: LifecycleContext;
  readonly waker: Waker;
  readonly suspender: Suspender;
}

/** Takes, lists and restores the checkpoints of threads. */
export class ThreadCheckpoints {
  readonly #options: ThreadCheckpointsOptions;
  readonly #stores = new LRUCache<string, CheckpointStore>({ max: MAX_CACHED_STORES });

  constructor(options: ThreadCheckpointsOptions) {
    this.#options = options;
  }

  /**
   * Calls that change the sandbox wait from now on until the checkpoint is taken, so that it holds the end of its turn
   * and nothing of the next. Calls that only read do not wait.
   */
  async record(threadId: string, turnId: string): Promise<Checkpoint> {
    const { threads } = this.#options.context;
    const gate = Promise.withResolvers<void>();
    const live = threads.live(threadId);
    if (live) live.checkpointing = gate.promise;
    try {
      return await threads.run(threadId, (thread) => this.#record(thread, turnId));
    } finally {
      if (live?.checkpointing === gate.promise) live.checkpointing = undefined;
      gate.resolve();
    }
  }

  /** Includes a checkpoint that is being taken. */
  list(threadId: string): Promise<readonly Checkpoint[]> {
    return this.#options.context.threads.run(threadId, () => this.#store(threadId).list());
  }

  /** Holds the mutex of both threads: the checkpoint cannot be pruned meanwhile. */
  branch(
    threadId: string,
    turnIds: readonly string[],
    newThreadId: string,
    options: WakeOptions,
  ): Promise<BranchResult> {
    const { threads } = this.#options.context;
    return threads.run(threadId, () =>
      threads.run(newThreadId, (newThread) => this.#branch(threadId, turnIds, newThread, options)),
    );
  }

  /** For a caller that has the thread's mutex. */
  async remove(threadId: string): Promise<void> {
    this.#stores.delete(threadId);
    await rm(this.#folder(threadId), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Removes those of unknown threads. Recent ones stay: a branch may just be receiving them. */
  async removeOrphans(
    isKnown: (threadId: string) => boolean | Promise<boolean>,
    beforeMs: number,
  ): Promise<void> {
    const { folder, context } = this.#options;
    const names = await readdir(folder).catch(() => []);
    for (const threadId of names.filter((name) => THREAD_ID_PATTERN.test(name))) {
      const { mtimeMs } = await stat(join(folder, threadId));
      if (mtimeMs > beforeMs || (await isKnown(threadId))) continue;
      await context.threads.run(threadId, () => this.remove(threadId));
    }
  }

  async #record(thread: ThreadSandbox, turnId: string): Promise<Checkpoint> {
    const { context, waker, suspender } = this.#options;
    const { clock, ownership } = context;
    const store = this.#store(thread.id);
    const takenAt = new Date(clock.now()).toISOString();
    const previous = await store.latest();
    const { isChanged = true } = thread.live ?? thread.cold ?? {};
    if (previous && !isChanged) {
      const { number: _, ...unchanged } = previous;
      return store.add({ ...unchanged, turnId, takenAt });
    }
    const wasLive = thread.live !== undefined;
    if (!wasLive && !(await hasSandbox(thread.id, await ownership.acquire(thread.id))))
      return store.add({ turnId, takenAt, ...(await storeEmptyState(store)) });
    const { wakeOptions } = thread;
    if (thread.live?.state !== "hot") await waker.wakeLocked(thread, wakeOptions ?? {});
    const { live } = thread;
    if (!live) throw new AtollError("sandbox_dead", "the sandbox ended before its checkpoint could be taken");
    try {
      return await this.#recordLive(live, store, { turnId, takenAt });
    } finally {
      // It was woken without its datasets, which only a caller of `wake` knows.
      if (!wasLive && !wakeOptions) await suspender.hibernateLocked(thread, "asked");
    }
  }

  async #recordLive(
    live: LiveSandbox,
    store: CheckpointStore,
    { turnId, takenAt }: { turnId: string; takenAt: string },
  ): Promise<Checkpoint> {
    const { snapshotTimeoutMs: timeoutMs } = this.#options;
    const budgetBytes = this.#options.budgetBytes(live.thread.id);
    const areVariablesUnchanged = !live.hasRunPython;
    const { isBusy, mayChange } = await findActivity(live.handle);
    // Changes from here on are not in this checkpoint.
    live.hasRunPython = isBusy;
    live.isChanged = live.hasNonPythonChanges = mayChange;
    try {
      return await recordCheckpoint(live.handle, store, {
        turnId,
        takenAt,
        budgetBytes,
        timeoutMs,
        areVariablesUnchanged,
        isBusy,
      });
    } catch (error) {
      live.isChanged = live.hasRunPython = live.hasNonPythonChanges = true;
      throw error;
    }
  }

  async #branch(
    threadId: string,
    turnIds: readonly string[],
    newThread: ThreadSandbox,
    options: WakeOptions,
  ): Promise<BranchResult> {
    const { waker, context } = this.#options;
    const { ownership } = context;
    const startMs = performance.now();
    const store = this.#store(threadId);
    const checkpoint = await store.find(turnIds);
    if (!checkpoint) {
      throw new AtollError(
        "not_found",
        "there is no checkpoint of this turn: none was taken, or it was pruned with age; choose a later turn",
      );
    }
    const { network: _, ...ownerOptions } = await ownership.acquire(newThread.id, threadId);
    if (await hasSandbox(newThread.id, ownerOptions))
      throw new AtollError("already_exists", `the thread ${newThread.id} already has a sandbox`);
    // The new thread has no settings yet: it inherits those of the old one.
    const network = ownership.networkOptions(newThread.id, threadId);
    const handle = await Sandbox.create({ ...options, ...ownerOptions, ...network, id: newThread.id });
    try {
      const { restored, lost, missingFiles } = await restoreCheckpoint(handle, store, checkpoint);
      await store.copyTo(this.#store(newThread.id), checkpoint);
      newThread.wakeOptions = options;
      const wake = waker.addHot(newThread, handle, "branched", {
        from: "new",
        restored,
        lost,
        isFresh: restored.length === 0,
        wakeMs: performance.now() - startMs,
      });
      const { turnId, takenAt, isExact } = checkpoint;
      return { ...wake, turnId, takenAt, isExact, missingFiles };
    } catch (error) {
      await handle.destroy();
      await this.remove(newThread.id);
      throw error;
    }
  }

  #store(threadId: string): CheckpointStore {
    const store = this.#stores.get(threadId) ?? new CheckpointStore(this.#folder(threadId));
    this.#stores.set(threadId, store);
    return store;
  }

  #folder(threadId: string): string {
    if (!THREAD_ID_PATTERN.test(threadId))
      throw new AtollError("invalid_argument", "a thread id has 6 to 64 of the characters a-z A-Z 0-9 _ -");
    return join(this.#options.folder, threadId);
  }
}

async function storeEmptyState(store: CheckpointStore) {
  const manifest = await store.putManifest({ fingerprint: "", entries: [], notKept: [] });
  return { manifest, files: { count: 0, bytes: 0, notKept: 0 }, variables: [], isExact: true };
}
