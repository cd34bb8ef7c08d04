import { readFile } from "node:fs/promises";
import { freemem } from "node:os";
import type { Clock } from "./clock.ts";
import type { StateChangeReason } from "./contract.ts";
import type { LifecyclePolicy } from "./policy.ts";
import type { LiveSandbox, ThreadRegistry } from "./thread-sandbox.ts";

export interface CapacityOptions {
  readonly threads: ThreadRegistry;
  readonly policy: LifecyclePolicy;
  readonly clock: Clock;
  readonly availableBytes: () => Promise<number>;
  readonly onProblem: (threadId: string, error: unknown) => void;
  /** Each resolves with false if the sandbox is busy. */
  pause(threadId: string, reason: StateChangeReason): Promise<boolean>;
  evict(threadId: string, reason: StateChangeReason): Promise<boolean>;
}

const MEMORY_CHECK_INTERVAL_MS = 10_000;
const MAX_WAIT_MS = 15_000;

/** Enforces `maxHot`, `maxWarm` and the host's free memory by evicting the least recently used sandboxes. */
export class Capacity {
  readonly #options: CapacityOptions;
  #running: Promise<void> | undefined;
  #isRequested = false;
  #cancelNextCheck = () => {};
  #isClosed = false;

  constructor(options: CapacityOptions) {
    this.#options = options;
  }

  /** Starts a check in the background. The limits are soft: sandboxes in use stay. */
  check(): void {
    this.#isRequested = true;
    if (this.#running || this.#isClosed) return;
    this.#running = this.#evict()
      .catch((error: unknown) => this.#options.onProblem("", error))
      .finally(() => {
        this.#running = undefined;
        this.#checkLater();
      });
  }

  /** `check`, if there are too many hot sandboxes. */
  checkHot(): void {
    if (this.#options.threads.count("hot") > this.#options.policy.maxHot) this.check();
  }

  /** Call before a sandbox starts: waits for an eviction in progress, so that a burst cannot outrun it; never long. */
  async waitForEviction(): Promise<void> {
    if (!this.#running) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.#options.clock.after(MAX_WAIT_MS, resolve);
    await Promise.race([this.#running, promise]);
    stopWaiting();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelNextCheck();
    await this.#running;
  }

  /** Memory can run short while no sandbox is requested. */
  #checkLater(): void {
    this.#cancelNextCheck();
    if (this.#isClosed || this.#options.threads.allLive().length === 0) return;
    this.#cancelNextCheck = this.#options.clock.after(MEMORY_CHECK_INTERVAL_MS, () => this.check());
  }

  async #evict(): Promise<void> {
    const { threads, policy, pause, evict, availableBytes } = this.#options;
    while (this.#isRequested && !this.#isClosed) {
      this.#isRequested = false;
      await this.#evictWhile(
        () => threads.count("hot") > policy.maxHot,
        () => threads.idle("hot"),
        ({ thread, handle }) => {
          const move = handle.info.capabilities.pause ? pause : evict;
          return move(thread.id, "too_many_hot");
        },
      );
      await this.#evictWhile(
        () => threads.count("warm") > policy.maxWarm,
        () => threads.idle("warm"),
        ({ thread }) => evict(thread.id, "too_many_warm"),
      );
      await this.#evictWhile(
        async () => (await availableBytes()) < policy.minAvailableBytes,
        () => [...threads.idle("warm"), ...threads.idle("hot")],
        ({ thread }) => evict(thread.id, "memory_short"),
      );
    }
  }

  /** Tries each candidate once and skips those that are busy. */
  async #evictWhile(
    isOver: () => boolean | Promise<boolean>,
    candidates: () => readonly LiveSandbox[],
    move: (live: LiveSandbox) => Promise<boolean>,
  ): Promise<void> {
    const tried = new Set<string>();
    while (!this.#isClosed && (await isOver())) {
      const next = candidates().find(({ thread }) => !tried.has(thread.id));
      if (!next) return;
      tried.add(next.thread.id);
      await move(next).catch((error: unknown) => this.#options.onProblem(next.thread.id, error));
    }
  }
}

/** The memory that the host can give without swapping. */
export async function readAvailableBytes(): Promise<number> {
  const meminfo = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo)?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}
