import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { AtollError, Sandbox } from "@atoll/sandbox";
import type { Arrivals } from "../wake.ts";
import { bringBack } from "./restore.ts";
import { CheckpointStore } from "./checkpoint-store.ts";
import type { Checkpoint } from "./contract.ts";
import { recordCheckpoint } from "./record.ts";
import type { Branched, WakeOptions } from "../contract.ts";
import type { Departures } from "../suspend.ts";
import type { Parts } from "../context.ts";
import type { Resident } from "../thread-sandbox.ts";
import { findWork } from "../resting.ts";
import { hasSandbox } from "../waking.ts";

/** Lists that are kept at hand, of the threads used last. */
const maxStores = 256;
const threadPattern = /^[A-Za-z0-9_-]{6,64}$/;

export interface CheckpointingOptions {
  readonly folder: string;
  budgetBytes(threadId: string): number;
  readonly snapshotTimeoutMs: number;
  readonly parts: Parts;
  readonly arrivals: Arrivals;
  readonly departures: Departures;
}

/**
 * A checkpoint is taken in the thread's turn. From the call on, what would change the sandbox waits for it, so that it
 * holds the state at the end of its turn and nothing of the next; what only reads does not wait.
 */
export class Checkpointing {
  readonly #options: CheckpointingOptions;
  readonly #stores = new LRUCache<string, CheckpointStore>({ max: maxStores });

  constructor(options: CheckpointingOptions) {
    this.#options = options;
  }

  async record(threadId: string, turnId: string): Promise<Checkpoint> {
    const { residents, mutex } = this.#options.parts;
    const gate = Promise.withResolvers<void>();
    const resident = residents.get(threadId);
    if (resident) resident.recording = gate.promise;
    try {
      return await mutex.run(threadId, () => this.#record(threadId, turnId));
    } finally {
      if (resident?.recording === gate.promise) resident.recording = undefined;
      gate.resolve();
    }
  }

  /** With the one that is being taken. */
  list(threadId: string): Promise<readonly Checkpoint[]> {
    return this.#options.parts.mutex.run(threadId, () => this.#store(threadId).list());
  }

  /** The checkpoint is not thinned out under it: that happens in the turn of the thread it is of. */
  branch(
    threadId: string,
    turnIds: readonly string[],
    newThreadId: string,
    given: WakeOptions,
  ): Promise<Branched> {
    const { mutex } = this.#options.parts;
    return mutex.run(threadId, () =>
      mutex.run(newThreadId, () => this.#branch(threadId, turnIds, newThreadId, given)),
    );
  }

  async forget(threadId: string): Promise<void> {
    this.#stores.delete(threadId);
    await rm(this.#folder(threadId), { recursive: true, force: true, maxRetries: 3 });
  }

  /** Those of threads that are gone, unless a branch may just be getting them. */
  async sweep(isKnown: (threadId: string) => boolean | Promise<boolean>, beforeMs: number): Promise<void> {
    const { mutex } = this.#options.parts;
    const names = await readdir(this.#options.folder).catch(() => []);
    for (const threadId of names.filter((name) => threadPattern.test(name))) {
      const { mtimeMs } = await stat(join(this.#options.folder, threadId));
      if (mtimeMs > beforeMs || (await isKnown(threadId))) continue;
      await mutex.run(threadId, () => this.forget(threadId));
    }
  }

  async #record(threadId: string, turnId: string): Promise<Checkpoint> {
    const { parts, arrivals, departures } = this.#options;
    const store = this.#store(threadId);
    const takenAt = new Date(parts.clock.now()).toISOString();
    const before = await store.latest();
    if (before && this.#isUnchanged(threadId)) {
      const { number: _, ...same } = before;
      return store.add({ ...same, turnId, takenAt });
    }
    const present = parts.residents.get(threadId);
    if (!present && !(await hasSandbox(threadId, await parts.claims.take(threadId))))
      return store.add({ turnId, takenAt, ...(await emptyState(store)) });
    const given = parts.facts.given(threadId);
    if (present?.state !== "hot") await arrivals.wakeNow(threadId, given ?? {});
    const resident = parts.residents.get(threadId);
    if (!resident) throw new AtollError("sandbox_dead", "the sandbox ended before it could be recorded");
    try {
      return await this.#recordResident(resident, store, { turnId, takenAt });
    } finally {
      // Nobody has said with which data it is to be used.
      if (!present && !given) await departures.restNow(threadId, "asked");
    }
  }

  async #recordResident(
    resident: Resident,
    store: CheckpointStore,
    { turnId, takenAt }: { turnId: string; takenAt: string },
  ): Promise<Checkpoint> {
    const { snapshotTimeoutMs: timeoutMs } = this.#options;
    const budgetBytes = this.#options.budgetBytes(resident.threadId);
    const areVariablesUnchanged = !resident.hasRunPython;
    const { isAtWork, mayChange } = await findWork(resident.handle);
    // What is changed from here on is not in it.
    resident.hasRunPython = isAtWork;
    resident.isChanged = resident.isTouched = mayChange;
    try {
      return await recordCheckpoint(resident.handle, store, {
        turnId,
        takenAt,
        budgetBytes,
        timeoutMs,
        areVariablesUnchanged,
        isAtWork,
      });
    } catch (error) {
      resident.isChanged = resident.hasRunPython = resident.isTouched = true;
      throw error;
    }
  }

  #isUnchanged(threadId: string): boolean {
    const { residents, facts } = this.#options.parts;
    const state = residents.get(threadId) ?? facts.cold(threadId);
    return state?.isChanged === false;
  }

  async #branch(
    threadId: string,
    turnIds: readonly string[],
    newThreadId: string,
    given: WakeOptions,
  ): Promise<Branched> {
    const { arrivals, parts } = this.#options;
    const { facts, claims } = parts;
    const startMs = performance.now();
    const store = this.#store(threadId);
    const checkpoint = await store.find(turnIds);
    if (!checkpoint) {
      throw new AtollError(
        "not_found",
        "there is no checkpoint of this turn: it was never taken, or was thinned out with age; choose a later turn",
      );
    }
    const { network: _, ...common } = await claims.take(newThreadId, threadId);
    if (await hasSandbox(newThreadId, common))
      throw new AtollError("already_exists", `the thread ${newThreadId} has a sandbox already`);
    // The new thread has no settings yet: it is going to have those of the old one.
    const network = claims.networkOptions(newThreadId, threadId);
    const handle = await Sandbox.create({ ...given, ...common, ...network, id: newThreadId });
    try {
      const back = await bringBack(handle, store, checkpoint);
      await store.copyTo(this.#store(newThreadId), checkpoint);
      facts.setGiven(newThreadId, given);
      const woken = arrivals.welcome(newThreadId, handle, "branched", {
        from: "new",
        restored: back.restored,
        lost: back.lost,
        isFresh: back.restored.length === 0,
        wakeMs: performance.now() - startMs,
      });
      const { turnId, takenAt, isExact } = checkpoint;
      return { ...woken, turnId, takenAt, isExact, missingFiles: back.missingFiles };
    } catch (error) {
      await handle.destroy();
      await this.forget(newThreadId);
      throw error;
    }
  }

  #store(threadId: string): CheckpointStore {
    const known = this.#stores.get(threadId) ?? new CheckpointStore(this.#folder(threadId));
    this.#stores.set(threadId, known);
    return known;
  }

  #folder(threadId: string): string {
    if (!threadPattern.test(threadId))
      throw new AtollError("invalid_argument", "a thread's id is 6 to 64 of the characters a-z A-Z 0-9 _ -");
    return join(this.#options.folder, threadId);
  }
}

async function emptyState(store: CheckpointStore) {
  const manifest = await store.putManifest({ fingerprint: "", entries: [], notKept: [] });
  return { manifest, files: { count: 0, bytes: 0, notKept: 0 }, variables: [], isExact: true };
}
