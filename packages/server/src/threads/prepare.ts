import type { Awake } from "@atoll/agent";
import type { DataProfile } from "@atoll/protocol";
import { allVariables, type StateChange, type WakeOptions, type Woken } from "@atoll/lifecycle";
import { AtollError, type Sandbox } from "@atoll/sandbox";
import { Semaphore } from "@atoll/std";
import { findDatasets, isProfileOf } from "./datasets.ts";
import { watchKernel } from "./kernel-watch.ts";
import type { RunnerContext } from "./options.ts";
import { Profiles } from "./profiles.ts";
import type { Restores } from "./restore-notices.ts";
import { beforeRun, type TurnCheckpoints } from "./checkpoints.ts";

export interface Prepared {
  readonly woken: Woken;
  readonly data: DataProfile;
}

/** Sandboxes that start and load their tables at once: none of them can rest before it is done. */
const maxAtOnce = 32;

/** Brings threads' sandboxes to where their files are shown and their tables are loaded. Who asks at once shares it. */
export class Preparation {
  readonly #context: RunnerContext;
  readonly #profiles: Profiles;
  readonly #underWay = new Map<string, Promise<Prepared>>();
  /** The files a sandbox was made with, and those its kernel has loaded, by name. */
  readonly #placed = new Map<string, string>();
  readonly #loaded = new Map<string, string>();
  /** How many kernels a sandbox has had that were ended from here. */
  readonly #kernels = new Map<string, number>();
  /** Runs of code that were told to stop and have not ended yet. */
  readonly #stopping = new Map<string, Promise<void>>();
  readonly #restores: Restores;
  readonly #checkpoints: TurnCheckpoints;
  readonly #removed = new Set<string>();
  readonly #held = new Set<string>();
  readonly #postponed = new Set<string>();
  readonly #starts = new Semaphore(maxAtOnce);

  constructor(context: RunnerContext, parts: { restores: Restores; checkpoints: TurnCheckpoints }) {
    this.#context = context;
    this.#restores = parts.restores;
    this.#checkpoints = parts.checkpoints;
    this.#profiles = new Profiles(context.store.log);
  }

  /** A kernel that has come back without the tables gets them again before it is used next. */
  note(threadId: string, change: StateChange): void {
    if (change.to !== "hot" || change.from === "hot" || change.from === "warm") return;
    if (change.isFresh || hasLostTables(change, this.#profiles.latest(threadId)))
      this.#loaded.set(threadId, nothing);
  }

  noteNewKernel(threadId: string): void {
    this.#loaded.set(threadId, nothing);
    this.#kernels.set(threadId, this.#kernelOf(threadId) + 1);
  }

  /** The profile, if the thread's files are those it tells of: then nobody has to wait for the sandbox. */
  async findData(threadId: string): Promise<DataProfile | undefined> {
    const data = this.#profiles.latest(threadId);
    return data && isProfileOf(data, await this.#findDatasets(threadId)) ? data : undefined;
  }

  /** `hasNewFiles`: one that is under way may not know them, and is followed by another. */
  open(threadId: string, { hasNewFiles = false } = {}): Promise<Prepared> {
    const known = this.#underWay.get(threadId);
    if (known && !hasNewFiles) {
      this.#starts.prioritize(threadId);
      return known;
    }
    const prepare = () => this.#prepareInTurn(threadId);
    const prepared = known ? known.then(prepare, prepare) : prepare();
    this.#underWay.set(threadId, prepared);
    // A user waits for the sandbox, not only for files to be shown in it.
    if (!hasNewFiles) this.#starts.prioritize(threadId);
    const forget = () => {
      if (this.#underWay.get(threadId) === prepared) this.#underWay.delete(threadId);
    };
    prepared.then(forget, forget);
    return prepared;
  }

  /** The sandbox as it is: nobody waits for files that are being read. One that rests is opened. */
  async reach(threadId: string): Promise<Sandbox> {
    if (this.#removed.has(threadId)) throw noSuchThread();
    const { sandboxes } = this.#context;
    if (sandboxes.state(threadId) !== "hot") return (await this.open(threadId)).woken.sandbox;
    const datasets = await this.#findDatasets(threadId);
    return (await sandboxes.wake(threadId, await this.#wakeOptions(threadId, datasets))).sandbox;
  }

  /** For the agent of a run: with what it has not yet been told. What was done before `runId` is recorded first. */
  async wake(threadId: string, runId?: string): Promise<Awake> {
    const { woken } = await this.open(threadId);
    if (runId !== undefined && this.#context.sandboxes.isTouched(threadId))
      this.#checkpoints.take(threadId, beforeRun(runId));
    const restore = this.#restores.unsaid(threadId);
    return {
      sandbox: this.#watch(threadId, woken.sandbox),
      state: describeWake(woken),
      wakeMs: woken.wakeMs,
      ...(restore ? { restore, markTold: () => this.#restores.markTold(threadId, restore) } : {}),
    };
  }

  /** A run is at work: until the returned function is called, files that come are not shown to it and nothing rests. */
  hold(threadId: string): () => void {
    const letRest = this.#context.sandboxes.keepAwake(threadId);
    this.#held.add(threadId);
    return () => {
      this.#held.delete(threadId);
      letRest();
    };
  }

  /** Whether files came that a run kept from being shown. Asked once. */
  takePostponed(threadId: string): boolean {
    return this.#postponed.delete(threadId);
  }

  isUnderWay(threadId: string): boolean {
    return this.#underWay.has(threadId);
  }

  /** Nothing of this thread is opened any more. Resolves when nothing is under way either. */
  async end(threadId: string): Promise<void> {
    this.#removed.add(threadId);
    await this.settled(threadId);
  }

  /** Resolves when nothing is under way, however it came out. */
  async settled(threadId: string): Promise<void> {
    this.#starts.prioritize(threadId);
    await this.#underWay.get(threadId)?.catch(() => {});
  }

  forget(threadId: string): void {
    this.#profiles.forget(threadId);
    this.#restores.forget(threadId);
    const kept = [this.#placed, this.#loaded, this.#kernels, this.#removed, this.#held, this.#postponed];
    for (const known of kept) known.delete(threadId);
  }

  /** A kernel that a run or a stop ends takes the tables with it: they are loaded again for the next message. */
  #watch(threadId: string, sandbox: Sandbox): Sandbox {
    return watchKernel(sandbox, {
      onNewKernel: () => this.noteNewKernel(threadId),
      onStopping: (ending) => {
        const ended = ending.then(
          () => {},
          () => {},
        );
        this.#stopping.set(threadId, ended);
        void ended.then(() => this.#stopping.get(threadId) === ended && this.#stopping.delete(threadId));
      },
    });
  }

  /** A sandbox that runs already costs nothing new. */
  #prepareInTurn(threadId: string): Promise<Prepared> {
    if (this.#context.sandboxes.state(threadId) === "hot") return this.#prepare(threadId);
    return this.#starts.run(() => this.#prepare(threadId), { key: threadId });
  }

  async #prepare(threadId: string): Promise<Prepared> {
    const { loadTables, closing } = this.#context;
    if (closing.aborted) throw new AtollError("aborted", "The server is shutting down.");
    await this.#stopping.get(threadId);
    if (this.#removed.has(threadId)) throw noSuchThread();
    const datasets = await this.#findDatasets(threadId);
    const names = Object.keys(datasets).join("/");
    const woken = await this.#wakeWith(threadId, datasets, names);
    const known = this.#profiles.latest(threadId);
    if (woken.isFresh) this.#loaded.set(threadId, nothing);
    const loaded = this.#loaded.get(threadId) ?? nameFiles(known, datasets);
    if (known && loaded === names) return { woken, data: known };
    if (known && loaded !== nothing && this.#held.has(threadId)) {
      this.#postponed.add(threadId);
      return { woken, data: known };
    }

    const kernel = this.#kernelOf(threadId);
    const data = await loadTables(woken.sandbox, { order: Object.keys(datasets), signal: closing });
    // What a kernel could not read because it was ended says nothing about the files.
    if (this.#kernelOf(threadId) !== kernel) return this.#prepare(threadId);
    this.#loaded.set(threadId, names);
    if (!isStoredAs(data, known)) await this.#profiles.append(threadId, data);
    return { woken, data };
  }

  /** A living sandbox keeps the files it was made with: for others it is made anew, with its variables. */
  async #wakeWith(
    threadId: string,
    datasets: Readonly<Record<string, string>>,
    names: string,
  ): Promise<Woken> {
    const { sandboxes } = this.#context;
    const options = await this.#wakeOptions(threadId, datasets);
    let woken = await sandboxes.wake(threadId, options);
    const placed =
      this.#placed.get(threadId) ?? nameFiles(this.#profiles.latest(threadId), datasets) ?? names;
    const isStale = placed !== names && (woken.from === "hot" || woken.from === "warm");
    if (isStale && this.#held.has(threadId)) return woken;
    if (isStale) {
      await sandboxes.rest(threadId);
      woken = await sandboxes.wake(threadId, options);
    }
    this.#placed.set(threadId, names);
    return woken;
  }

  async #wakeOptions(threadId: string, datasets: Readonly<Record<string, string>>): Promise<WakeOptions> {
    const limits = await this.#context.sandboxLimits?.(threadId);
    return { datasets, limits };
  }

  #kernelOf(threadId: string): number {
    return this.#kernels.get(threadId) ?? 0;
  }

  #findDatasets(threadId: string): Promise<Readonly<Record<string, string>>> {
    const { store, bundledDataset } = this.#context;
    return findDatasets(store.uploads, threadId, bundledDataset);
  }
}

/** Compares what the log would hold: there a field that is undefined is absent. */
function isStoredAs(data: DataProfile, stored: DataProfile | undefined): boolean {
  return stored !== undefined && JSON.stringify(data) === JSON.stringify(stored);
}

function noSuchThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}

/** What a fresh kernel has loaded. */
const nothing = "";

/** A variable that its user has removed is not lost. */
function hasLostTables({ lost, restored, variablesAt }: StateChange, data: DataProfile | undefined): boolean {
  const lostNames = new Set(lost.map(({ name }) => name));
  if (lostNames.has(allVariables)) return true;
  const names = data?.tables.flatMap(({ variable, alias }) => [variable ?? [], alias ?? []].flat()) ?? [];
  return names.some((name) => lostNames.has(name) || (variablesAt !== undefined && !restored.includes(name)));
}

/** Which files an earlier profile tells of, in the form in which they are compared. */
function nameFiles(
  data: DataProfile | undefined,
  datasets: Readonly<Record<string, string>>,
): string | undefined {
  if (data === undefined) return undefined;
  return isProfileOf(data, datasets) ? Object.keys(datasets).join("/") : "other files";
}

function describeWake({ from, wakeMs }: Woken): string {
  return from === "hot" ? "hot" : `${from}→hot (${Math.round(wakeMs)}ms)`;
}
