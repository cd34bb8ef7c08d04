import { ALL_VARIABLES, type StateChange, type WakeOptions, type WakeResult } from "@atoll/lifecycle";
import type { DataProfile } from "@atoll/protocol";
import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { Semaphore } from "@atoll/std";
import { findDatasets, isProfileOf, listFiles } from "./datasets.ts";
import { watchKernel } from "./kernel-watch.ts";
import type { RunnerContext } from "./options.ts";

export interface Prepared {
  readonly woken: WakeResult;
  readonly data: DataProfile;
}

type Datasets = Readonly<Record<string, string>>;

/** Mounts a thread's files and loads its tables. Concurrent callers share one preparation. */
export class Preparation {
  readonly #threadId: string;
  readonly #context: RunnerContext;
  readonly #startSlots: Semaphore;
  #current: Promise<Prepared> | undefined;
  /** Starts when the current one ends, for files that the current one does not know. */
  #next: Promise<Prepared> | undefined;
  #profile: DataProfile | undefined;
  /** Names of the files that the sandbox was made with. Undefined: not known yet. */
  #placed: readonly string[] | undefined;
  /** Names of the files that the kernel has loaded. Undefined: what the profile lists. */
  #loaded: readonly string[] | undefined;
  /** Rises with each kernel that was ended from here. */
  #kernel = 0;
  /** A run of code that was told to stop and has not ended yet. */
  #stopping: Promise<void> | undefined;
  #isRemoved = false;
  #isHeld = false;
  #isPostponed = false;

  /** `startSlots`: bounds how many threads start a sandbox at once. */
  constructor(threadId: string, context: RunnerContext, startSlots: Semaphore) {
    this.#threadId = threadId;
    this.#context = context;
    this.#startSlots = startSlots;
  }

  get isUnderWay(): boolean {
    return (this.#current ?? this.#next) !== undefined;
  }

  /** Whether the log has all that is known here. */
  get isInLog(): boolean {
    return this.#loaded === undefined || this.#loaded.length > 0;
  }

  dropCache(): void {
    this.#profile = undefined;
  }

  /** A kernel that came back without its tables gets them again before it is used next. */
  noteChange(change: StateChange): void {
    if (change.to !== "hot" || change.from === "hot" || change.from === "warm") return;
    if (change.isFresh || hasLostTables(change, this.#latestProfile())) this.#loaded = [];
  }

  noteNewKernel(): void {
    this.#loaded = [];
    this.#kernel += 1;
  }

  /** The profile, if it describes the files that the thread has now. Does not wake the sandbox. */
  async findData(): Promise<DataProfile | undefined> {
    const data = this.#latestProfile();
    return data && isProfileOf(data, await this.#findDatasets()) ? data : undefined;
  }

  /** `hasNewFiles`: a preparation under way may not know them, so the caller joins the one after it. */
  open({ hasNewFiles = false } = {}): Promise<Prepared> {
    const prepared = hasNewFiles ? this.#openNext() : (this.#next ?? this.#current ?? this.#start());
    // A user waits for the sandbox, not only for files to be mounted in it.
    if (!hasNewFiles) this.#startSlots.prioritize(this.#threadId);
    return prepared;
  }

  /** The sandbox as it is, without waiting for files that are being read. A suspended one is opened. */
  async reach(): Promise<Sandbox> {
    if (this.#isRemoved) throw noSuchThread();
    const { sandboxes } = this.#context;
    if (sandboxes.state(this.#threadId) !== "hot") return (await this.open()).woken.sandbox;
    return (await sandboxes.wake(this.#threadId, await this.#wakeOptions(await this.#findDatasets())))
      .sandbox;
  }

  /** A run is at work: until the returned function is called, new files are not mounted and nothing is suspended. */
  hold(): () => void {
    const release = this.#context.sandboxes.keepAwake(this.#threadId);
    this.#isHeld = true;
    return () => {
      this.#isHeld = false;
      release();
    };
  }

  /** Whether a run has kept new files from being mounted. True once. */
  takePostponed(): boolean {
    const isPostponed = this.#isPostponed;
    this.#isPostponed = false;
    return isPostponed;
  }

  /** Nothing is prepared any more. Resolves when nothing is under way. */
  async end(): Promise<void> {
    this.#isRemoved = true;
    this.#startSlots.prioritize(this.#threadId);
    while (this.isUnderWay) await (this.#next ?? this.#current)?.catch(() => {});
  }

  /** The same sandbox, which reports when a run ends its kernel: then the tables are loaded again before the next run. */
  watch(sandbox: Sandbox): Sandbox {
    return watchKernel(sandbox, {
      onNewKernel: () => this.noteNewKernel(),
      onStopping: (ending) => {
        const ended = ending.then(
          () => {},
          () => {},
        );
        this.#stopping = ended;
        void ended.then(() => {
          if (this.#stopping === ended) this.#stopping = undefined;
        });
      },
    });
  }

  #openNext(): Promise<Prepared> {
    if (this.#next) return this.#next;
    if (!this.#current) return this.#start();
    const start = () => this.#start();
    this.#next = this.#current.then(start, start);
    return this.#next;
  }

  #start(): Promise<Prepared> {
    const prepared = this.#prepareInTurn();
    this.#current = prepared;
    this.#next = undefined;
    const end = () => {
      if (this.#current === prepared) this.#current = undefined;
    };
    prepared.then(end, end);
    return prepared;
  }

  /** A running sandbox needs no slot. */
  #prepareInTurn(): Promise<Prepared> {
    if (this.#context.sandboxes.state(this.#threadId) === "hot") return this.#prepare();
    return this.#startSlots.run(() => this.#prepare(), { key: this.#threadId });
  }

  /** Starts over when the kernel was ended meanwhile: then its tables are gone, and what it could not read means nothing. */
  async #prepare(): Promise<Prepared> {
    for (;;) {
      const kernel = this.#kernel;
      const prepared = await this.#prepareKernel(() => this.#kernel === kernel);
      if (prepared && this.#kernel === kernel) return prepared;
    }
  }

  /** Undefined if the kernel was ended meanwhile. */
  async #prepareKernel(isSameKernel: () => boolean): Promise<Prepared | undefined> {
    const { loadTables, closing } = this.#context;
    if (closing.aborted) throw new AtollError("aborted", "The server is shutting down.");
    await this.#stopping;
    if (this.#isRemoved) throw noSuchThread();
    const datasets = await this.#findDatasets();
    const names = Object.keys(datasets);
    const woken = await this.#wakeWith(datasets);
    const known = this.#latestProfile();
    if (woken.isFresh) this.#loaded = [];
    const loaded = this.#loaded ?? (known ? listFiles(known) : []);
    if (known && isSameSet(loaded, names)) return { woken, data: known };
    if (known && loaded.length > 0 && this.#isHeld) {
      this.#isPostponed = true;
      return { woken, data: known };
    }
    const isAddition = loaded.length > 0 && loaded.every((name) => names.includes(name));
    const data = await loadTables(woken.sandbox, {
      order: names,
      // Tables that the kernel has already are not read again.
      known: isAddition && known && isSameSet(listFiles(known), loaded) ? known : undefined,
      signal: closing,
    });
    if (!isSameKernel()) return undefined;
    this.#loaded = names;
    if (!isStoredAs(data, known)) {
      await this.#context.store.log.append(this.#threadId, [{ event: { type: "data", data } }]);
      this.#profile = data;
    }
    return { woken, data };
  }

  /** A living sandbox keeps the files it was made with: for others it is suspended and woken, with its variables. */
  async #wakeWith(datasets: Datasets): Promise<WakeResult> {
    const { sandboxes } = this.#context;
    const names = Object.keys(datasets);
    const options = await this.#wakeOptions(datasets);
    let woken = await sandboxes.wake(this.#threadId, options);
    const profile = this.#latestProfile();
    const placed = this.#placed ?? (profile ? listFiles(profile) : names);
    const isStale = !isSameSet(placed, names) && (woken.from === "hot" || woken.from === "warm");
    if (isStale && this.#isHeld) return woken;
    if (isStale) {
      await sandboxes.hibernate(this.#threadId);
      woken = await sandboxes.wake(this.#threadId, options);
    }
    this.#placed = names;
    return woken;
  }

  async #wakeOptions(datasets: Datasets): Promise<WakeOptions> {
    return { datasets, limits: await this.#context.sandboxLimits?.(this.#threadId) };
  }

  #latestProfile(): DataProfile | undefined {
    if (this.#profile) return this.#profile;
    const [event] = this.#context.store.log.read(this.#threadId, { types: ["data"], last: 1 });
    this.#profile = event?.type === "data" ? event.data : undefined;
    return this.#profile;
  }

  #findDatasets(): Promise<Datasets> {
    const { store, bundledDataset } = this.#context;
    return findDatasets(store.uploads, this.#threadId, bundledDataset);
  }
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each) => others.includes(each));
}

/** Compares what the log would hold: there a field that is undefined is absent. */
function isStoredAs(data: DataProfile, stored: DataProfile | undefined): boolean {
  return stored !== undefined && JSON.stringify(data) === JSON.stringify(stored);
}

function noSuchThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}

/** A variable that the user has deleted does not count as lost. */
function hasLostTables({ lost, restored, variablesAt }: StateChange, data: DataProfile | undefined): boolean {
  const lostNames = new Set(lost.map(({ name }) => name));
  if (lostNames.has(ALL_VARIABLES)) return true;
  const names = data?.tables.flatMap(({ variable, alias }) => [variable ?? [], alias ?? []].flat()) ?? [];
  return names.some((name) => lostNames.has(name) || (variablesAt !== undefined && !restored.includes(name)));
}
