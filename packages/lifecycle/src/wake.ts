import { AtollError, Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { AutoWake } from "./auto-wake.ts";
import type { LifecycleContext } from "./context.ts";
import type { StateChangeReason, WakeOptions, WakeResult } from "./contract.ts";
import { type RestoredVariables, restoreVariables } from "./hibernate.ts";
import { attachIfAlive, type Ownership } from "./ownership.ts";
import { isSandboxDead, type Suspender } from "./suspend.ts";
import type { LiveSandbox, ThreadSandbox } from "./thread-sandbox.ts";

/** Moves sandboxes up: new, warm or cold → hot. */
export class Waker {
  readonly #context: LifecycleContext;
  readonly #suspender: Suspender;
  readonly #autoWake: AutoWake;

  constructor(context: LifecycleContext, suspender: Suspender) {
    this.#context = context;
    this.#suspender = suspender;
    this.#autoWake = new AutoWake({
      threads: context.threads,
      wakeAgain: (threadId) => this.#wakeOnce(threadId, optionsOfKnownThread),
      markDead: (live) => suspender.markDead(live),
    });
  }

  async wake(threadId: string, options: WakeOptions): Promise<WakeResult> {
    const { threads } = this.#context;
    const startMs = performance.now();
    const live = threads.live(threadId);
    // A hot sandbox does not wait for the mutex, which a checkpoint may have for a while.
    if (live?.isReady && (await isRunning(live.handle)) && live.isReady) {
      threads.open(threadId).wakeOptions = options;
      threads.touch(live);
      return this.#handOut(live, { from: "hot", wakeMs: performance.now() - startMs });
    }
    return this.#wakeOnce(threadId, () => options);
  }

  /** For a caller that has the thread's mutex. */
  async wakeLocked(thread: ThreadSandbox, options: WakeOptions): Promise<WakeResult> {
    const { threads, ownership, capacity } = this.#context;
    const startMs = performance.now();
    const { live } = thread;
    const from = live && (await this.#resume(live));
    if (live && from) {
      const wakeMs = performance.now() - startMs;
      if (from === "warm") threads.recordWake(thread, "warm", wakeMs);
      return this.#handOut(live, { from, wakeMs });
    }
    await capacity.waitForEviction();
    const { handle, ...opened } = await openSandbox(thread.id, options, ownership);
    const wakeMs = performance.now() - startMs;
    const wasAlive = opened.from === "hot" || opened.from === "warm";
    if (opened.from === "warm" || opened.from === "cold") threads.recordWake(thread, opened.from, wakeMs);
    return this.addHot(thread, handle, wasAlive ? "adopted" : "used", { ...opened, wakeMs });
  }

  /** Registers a running sandbox, for a caller that has the thread's mutex. */
  addHot(
    thread: ThreadSandbox,
    handle: SandboxHandle,
    reason: StateChangeReason,
    wake: Omit<WakeResult, "sandbox">,
  ): WakeResult {
    const live = this.addLive(thread, handle, "hot");
    // What another server did with it since its latest checkpoint is unknown here.
    live.hasNonPythonChanges = wake.from !== "new" && live.isChanged;
    const { restored = [], ...facts } = wake;
    this.#context.announce(thread.id, { ...facts, restored, to: "hot", reason });
    this.#context.capacity.check();
    return this.#handOut(live, wake);
  }

  /** Registers a live sandbox as it is, for a caller that has the thread's mutex. */
  addLive(thread: ThreadSandbox, handle: SandboxHandle, state: "hot" | "warm"): LiveSandbox {
    const { threads, timers } = this.#context;
    const live = threads.setLive(thread, handle, state);
    if (thread.cold) live.isChanged = live.hasRunPython = thread.cold.isChanged;
    thread.cold = undefined;
    timers.scheduleLive(live);
    return live;
  }

  /** Concurrent callers share one wake. `chooseOptions` is called with the thread's mutex held. */
  #wakeOnce(threadId: string, chooseOptions: (thread: ThreadSandbox) => WakeOptions): Promise<WakeResult> {
    const { threads } = this.#context;
    const thread = threads.open(threadId);
    if (thread.waking) return thread.waking;
    const waking = threads.run(threadId, async () => {
      thread.wakeOptions = chooseOptions(thread);
      return this.wakeLocked(thread, thread.wakeOptions);
    });
    thread.waking = waking;
    const clear = () => void (thread.waking = undefined);
    waking.then(clear, clear);
    return waking;
  }

  #handOut(
    { thread, handle }: LiveSandbox,
    wake: Pick<WakeResult, "from" | "wakeMs"> & Partial<WakeResult>,
  ): WakeResult {
    return { isFresh: false, lost: [], ...wake, sandbox: this.#autoWake.createSandbox(thread.id, handle) };
  }

  /** Resolves with the state it was in; undefined if it has ended. */
  async #resume(live: LiveSandbox): Promise<"hot" | "warm" | undefined> {
    const { threads, timers, announce, clock, capacity } = this.#context;
    const { thread, handle, state } = live;
    const startMs = performance.now();
    try {
      if (state === "warm") {
        await handle.resume();
        Object.assign(live, { state: "hot", sinceMs: clock.now(), metricsWhenPaused: undefined });
        const wakeMs = performance.now() - startMs;
        announce(thread.id, { from: "warm", to: "hot", reason: "used", wakeMs });
        capacity.check();
      }
      if (state === "warm" || (await isRunning(handle))) {
        threads.touch(live);
        if (state === "warm") timers.scheduleLive(live);
        return state;
      }
    } catch (error) {
      if (!isSandboxDead(error)) throw error;
    }
    this.#suspender.markDead(live);
    return undefined;
  }
}

interface OpenedSandbox extends RestoredVariables {
  readonly handle: SandboxHandle;
  readonly from: WakeResult["from"];
  readonly isFresh: boolean;
}

const NOTHING_RESTORED: RestoredVariables = { restored: [], lost: [] };

/** Attaches to the sandbox if it is alive, else opens its kept files and restores its variables, else creates it. */
async function openSandbox(id: string, options: WakeOptions, ownership: Ownership): Promise<OpenedSandbox> {
  const ownerOptions = await ownership.acquire(id);
  const { handle: alive, exists } = await attachIfAlive(id, ownerOptions);
  if (alive) {
    const isPaused = (await alive.state()) === "paused";
    if (isPaused) await alive.resume();
    return { handle: alive, from: isPaused ? "warm" : "hot", isFresh: false, ...NOTHING_RESTORED };
  }
  if (exists) await ownership.waitForOrphan(id);
  const handle = await Sandbox.create({ ...options, ...ownerOptions, id });
  const variables = await restoreVariables(handle);
  const isFresh = variables === undefined;
  return { handle, from: exists || !isFresh ? "cold" : "new", isFresh, ...(variables ?? NOTHING_RESTORED) };
}

/** A sandbox handed out for a thread that was removed since does not bring the thread back. */
function optionsOfKnownThread({ wakeOptions }: ThreadSandbox): WakeOptions {
  if (!wakeOptions) throw new AtollError("sandbox_dead", "this thread's sandbox was removed");
  return wakeOptions;
}

async function isRunning(handle: SandboxHandle): Promise<boolean> {
  return (await handle.state()) === "running";
}
