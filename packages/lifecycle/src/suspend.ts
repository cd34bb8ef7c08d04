import { isDeepStrictEqual } from "node:util";
import { AtollError, Sandbox, type SandboxHandle } from "@atoll/sandbox";
import type { LifecycleContext } from "./context.ts";
import type { StateChangeReason } from "./contract.ts";
import { hibernateSandbox } from "./hibernate.ts";
import { attachIfAlive } from "./ownership.ts";
import type { LiveSandbox, ThreadSandbox } from "./thread-sandbox.ts";

/** Moves sandboxes down: hot → warm → cold → removed. */
export class Suspender {
  readonly #context: LifecycleContext;

  constructor(context: LifecycleContext) {
    this.#context = context;
  }

  /** Hot → warm. False: the sandbox is busy. */
  pauseIfIdle(threadId: string, reason: StateChangeReason): Promise<boolean> {
    const { timers, announce, clock } = this.#context;
    return this.#move(threadId, async (live) => {
      const { handle } = live;
      if (live.state !== "hot" || !live.isIdle || (await findActivity(handle)).isBusy) return false;
      const metrics = await handle.metrics();
      if (!live.isIdle) return false;
      await whileMoving(live, async () => {
        await handle.pause();
        Object.assign(live, { state: "warm", sinceMs: clock.now(), metricsWhenPaused: metrics });
      });
      announce(threadId, { from: "hot", to: "warm", reason });
      timers.scheduleLive(live);
      return true;
    });
  }

  /** To cold. False: the sandbox is busy. */
  evictIfIdle(threadId: string, reason: StateChangeReason): Promise<boolean> {
    return this.#move(threadId, async (live) => {
      if (!live.isIdle) return false;
      if (live.state === "hot" && (await findActivity(live.handle)).isBusy) return false;
      if (!live.isIdle) return false;
      await this.#hibernate(live, reason);
      return true;
    });
  }

  /** To cold, even if the sandbox is busy. */
  async hibernate(threadId: string, reason: StateChangeReason): Promise<void> {
    await this.#move(threadId, (live) => this.#hibernate(live, reason));
  }

  /** The same for a caller that has the thread's mutex. */
  async hibernateLocked(thread: ThreadSandbox, reason: StateChangeReason): Promise<void> {
    await this.#unlessDead(thread, (live) => this.#hibernate(live, reason));
  }

  /** With all its files. */
  remove(threadId: string, reason: StateChangeReason): Promise<void> {
    const { threads, timers, announce, ownership } = this.#context;
    return threads.run(threadId, async (thread) => {
      const options = await ownership.acquire(threadId);
      threads.forget(thread);
      timers.cancel(threadId);
      const { live } = thread;
      const found = live ? { handle: live.handle, exists: true } : await attachIfAlive(threadId, options);
      if (!found.exists) return;
      if (live) live.isMoving = true;
      // A cold sandbox is opened to be removed: only its driver knows where its files are.
      const { network: _, egress: __, ...location } = options;
      const handle = found.handle ?? (await Sandbox.create({ ...location, id: threadId }));
      const from = live?.state ?? (found.handle ? "hot" : "cold");
      try {
        await handle.destroy();
      } catch (error) {
        if (live) live.isMoving = false;
        throw error;
      }
      if (live) threads.clearLive(live);
      announce(threadId, { from, to: "removed", reason });
    });
  }

  /** Leaves the sandbox as it is, for another server to attach to. */
  release(threadId: string): Promise<void> {
    const { threads } = this.#context;
    return threads.run(threadId, async (thread) => {
      const { live } = thread;
      if (live) threads.clearLive(live);
      threads.forget(thread);
      await live?.handle.detach();
    });
  }

  /** Gives a live sandbox the thread's present network policy, if it has another. */
  updateNetwork(threadId: string): Promise<void> {
    const { threads, ownership } = this.#context;
    return threads.run(threadId, async ({ live }) => {
      const { policy = "none" } = ownership.network(threadId) ?? {};
      if (!live || isDeepStrictEqual(policy, live.handle.info.network ?? "none")) return;
      await live.handle.setNetwork(policy).catch((error: unknown) => {
        if (!isSandboxDead(error)) throw error;
        this.markDead(live);
      });
    });
  }

  /** The sandbox has ended by itself. */
  markDead(live: LiveSandbox): void {
    const { threads, announce } = this.#context;
    const { thread, handle, state } = live;
    if (thread.live !== live) return;
    threads.clearLive(live);
    handle.detach().catch(() => {});
    this.#setCold(live, true);
    announce(thread.id, { from: state, to: "cold", reason: "died" });
  }

  async #hibernate(live: LiveSandbox, reason: StateChangeReason): Promise<boolean> {
    const { threads, announce } = this.#context;
    const { thread, state, isChanged } = live;
    const lost = await whileMoving(live, async () => {
      const lost = await hibernateSandbox(live.handle);
      threads.clearLive(live);
      this.#setCold(live, isChanged);
      return lost;
    });
    announce(thread.id, { from: state, to: "cold", reason, lost });
    return true;
  }

  #setCold({ thread, lastUsedMs }: LiveSandbox, isChanged: boolean): void {
    const { timers, clock } = this.#context;
    thread.cold = { sinceMs: clock.now(), lastUsedMs, isChanged };
    timers.scheduleCold(thread.id, lastUsedMs);
  }

  #move(threadId: string, move: (live: LiveSandbox) => Promise<boolean>): Promise<boolean> {
    return this.#context.threads.run(threadId, (thread) => this.#unlessDead(thread, move));
  }

  async #unlessDead(
    { live }: ThreadSandbox,
    move: (live: LiveSandbox) => Promise<boolean>,
  ): Promise<boolean> {
    if (!live) return true;
    try {
      return await move(live);
    } catch (error) {
      if (!isSandboxDead(error)) throw error;
      this.markDead(live);
      return true;
    }
  }
}

export interface SandboxActivity {
  /** A kernel or a background command is running that keeps the sandbox awake. */
  readonly isBusy: boolean;
  /** Something is running that may write files at any time, even a shell that does not keep the sandbox awake. */
  readonly mayChange: boolean;
}

export async function findActivity(handle: SandboxHandle): Promise<SandboxActivity> {
  const [contexts, commands] = await Promise.all([
    handle.python.contexts(),
    handle.info.capabilities.shell ? handle.commands.list() : [],
  ]);
  const running = commands.filter(({ isRunning }) => isRunning);
  // The guest of an older server does not send `keepsAwake`.
  const isBusy =
    contexts.some((context) => context.isBusy) || running.some(({ keepsAwake }) => keepsAwake !== false);
  return { isBusy, mayChange: isBusy || running.length > 0 };
}

/** The sandbox has ended by itself. */
export function isSandboxDead(error: unknown): boolean {
  return error instanceof AtollError && error.code === "sandbox_dead";
}

/** Callers wait meanwhile, also if the move fails and the sandbox stays in its state. */
async function whileMoving<Result>(live: LiveSandbox, move: () => Promise<Result>): Promise<Result> {
  live.isMoving = true;
  try {
    return await move();
  } finally {
    live.isMoving = false;
  }
}
