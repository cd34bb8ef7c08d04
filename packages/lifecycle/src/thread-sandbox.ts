import type { Metrics, SandboxHandle } from "@atoll/sandbox";
import { Mutex } from "@atoll/std";
import type { Clock } from "./clock.ts";
import type { ThreadSandboxState, WakeEstimate, WakeOptions, WakeResult } from "./contract.ts";

/** All that this server knows about the sandbox of one thread. */
export class ThreadSandbox {
  readonly id: string;
  readonly mutex = new Mutex();
  /** Undefined while it is cold. */
  live: LiveSandbox | undefined;
  /** Undefined while it is live, and if this server did not see it become cold. */
  cold: ColdState | undefined;
  /** The options to create the sandbox with. Undefined: the thread was removed, or never woken here. */
  wakeOptions: WakeOptions | undefined;
  /** The wake in progress, which concurrent callers share. */
  waking: Promise<WakeResult> | undefined;
  /** Open `keepAwake` calls. */
  holds = 0;
  /** How long the last wake from each state took. */
  wakeMs: { warm?: number; cold?: number } = {};

  constructor(id: string) {
    this.id = id;
  }

  get state(): ThreadSandboxState {
    return this.live?.state ?? "cold";
  }
}

/** A sandbox with processes: hot or warm. A thread gets a new one each time it wakes from cold. */
export class LiveSandbox {
  readonly thread: ThreadSandbox;
  readonly handle: SandboxHandle;
  state: "hot" | "warm";
  sinceMs: number;
  lastUsedMs: number;
  /** It is on its way to another state: callers wait until it gets there. */
  isMoving = false;
  /** Calls in progress. */
  calls = 0;
  /** Set while a checkpoint is taken: calls that change something wait for it. */
  checkpointing: Promise<unknown> | undefined;
  /** Something may have changed it since the latest checkpoint. */
  isChanged = true;
  /** Python may have changed it since the latest checkpoint. */
  hasRunPython = true;
  /** Something other than Python may have changed it since the latest checkpoint. */
  hasNonPythonChanges = true;
  metricsWhenPaused: Metrics | undefined;

  constructor(thread: ThreadSandbox, handle: SandboxHandle, state: "hot" | "warm", nowMs: number) {
    this.thread = thread;
    this.handle = handle;
    this.state = state;
    this.sinceMs = nowMs;
    this.lastUsedMs = nowMs;
  }

  /** It can take calls now. */
  get isReady(): boolean {
    return this.state === "hot" && !this.isMoving;
  }

  /** As seen from here. Only the guest knows whether a background command or a kernel is running. */
  get isIdle(): boolean {
    return this.calls === 0 && !this.checkpointing && !this.isMoving && this.thread.holds === 0;
  }
}

export interface ColdState {
  readonly sinceMs: number;
  readonly lastUsedMs: number;
  /** See `LiveSandbox`. */
  readonly isChanged: boolean;
}

/** Wakes of any thread that the estimate for an unknown thread is taken from. */
const RECENT_WAKES = 31;

/** The threads of this server. A thread is dropped once nothing is known about it and nothing uses it. */
export class ThreadRegistry {
  readonly #clock: Clock;
  readonly #threads = new Map<string, ThreadSandbox>();
  readonly #recentWakesMs = { warm: [] as number[], cold: [] as number[] };
  /** Called when a sandbox may have become idle. */
  onIdle: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(threadId: string): ThreadSandbox | undefined {
    return this.#threads.get(threadId);
  }

  live(threadId: string): LiveSandbox | undefined {
    return this.#threads.get(threadId)?.live;
  }

  /**
   * Runs work under the thread's mutex: one at a time, in the order of the calls.
   *
   *     await threads.run(threadId, async (thread) => thread.live?.handle.pause());
   */
  async run<Result>(threadId: string, work: (thread: ThreadSandbox) => Promise<Result>): Promise<Result> {
    const thread = this.open(threadId);
    try {
      return await thread.mutex.run(() => work(thread));
    } finally {
      this.#dropIfUnused(thread);
    }
  }

  /** The thread's object, created if need be. */
  open(threadId: string): ThreadSandbox {
    const known = this.#threads.get(threadId);
    if (known) return known;
    const thread = new ThreadSandbox(threadId);
    this.#threads.set(threadId, thread);
    return thread;
  }

  setLive(thread: ThreadSandbox, handle: SandboxHandle, state: "hot" | "warm"): LiveSandbox {
    thread.live = new LiveSandbox(thread, handle, state, this.#clock.now());
    return thread.live;
  }

  /** Does nothing if the thread has another live sandbox by now. */
  clearLive(live: LiveSandbox): void {
    if (live.thread.live === live) live.thread.live = undefined;
  }

  /** Its sandbox is removed, or another server's. Calls through sandboxes handed out earlier fail from now on. */
  forget(thread: ThreadSandbox): void {
    thread.wakeOptions = undefined;
    thread.cold = undefined;
    thread.wakeMs = {};
  }

  /** Until the returned function is called, the thread is not idle. */
  hold(threadId: string): () => void {
    const thread = this.open(threadId);
    thread.holds++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      thread.holds--;
      if (thread.live) this.touch(thread.live);
      this.#dropIfUnused(thread);
      this.onIdle();
    };
  }

  touch(live: LiveSandbox): void {
    live.lastUsedMs = this.#clock.now();
  }

  beginCall(live: LiveSandbox): void {
    live.calls++;
    this.touch(live);
  }

  endCall(live: LiveSandbox): void {
    live.calls--;
    this.touch(live);
    if (live.calls === 0) this.onIdle();
  }

  allLive(): LiveSandbox[] {
    return [...this.#threads.values()].flatMap(({ live }) => live ?? []);
  }

  count(state: LiveSandbox["state"]): number {
    return this.allLive().filter((live) => live.state === state).length;
  }

  /** The least recently used first. */
  idle(state: LiveSandbox["state"]): LiveSandbox[] {
    return this.allLive()
      .filter((live) => live.state === state && live.isIdle)
      .toSorted((one, other) => one.lastUsedMs - other.lastUsedMs);
  }

  recordWake(thread: ThreadSandbox, from: "warm" | "cold", ms: number): void {
    thread.wakeMs[from] = ms;
    this.#recentWakesMs[from] = [...this.#recentWakesMs[from], ms].slice(-RECENT_WAKES);
  }

  /** From measured wakes: the thread's own last one, or the median of recent ones. Undefined if there are none. */
  estimateWake(threadId: string, from: ThreadSandboxState): WakeEstimate | undefined {
    if (from === "hot") return { ms: 0, basis: "own" };
    const ownMs = this.get(threadId)?.wakeMs[from];
    if (ownMs !== undefined) return { ms: ownMs, basis: "own" };
    const recentMs = this.#recentWakesMs[from].toSorted((one, other) => one - other);
    const medianMs = recentMs[recentMs.length >> 1];
    return medianMs === undefined ? undefined : { ms: medianMs, basis: "others" };
  }

  #dropIfUnused(thread: ThreadSandbox): void {
    const { id, live, cold, wakeOptions, holds, mutex } = thread;
    const isUsed = live || cold || wakeOptions || holds > 0 || mutex.isLocked;
    if (!isUsed && this.#threads.get(id) === thread) this.#threads.delete(id);
  }
}
