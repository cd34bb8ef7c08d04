import type { Clock } from "./clock.ts";
import type { LifecyclePolicy } from "./policy.ts";
import type { Job, JobKind, JobQueue, JobWork } from "./queue/contract.ts";
import type { LiveSandbox, ThreadRegistry } from "./thread-sandbox.ts";

export interface IdleTimerActions {
  /** False: the sandbox is busy. */
  pause(threadId: string): Promise<boolean>;
  evict(threadId: string): Promise<boolean>;
  expire(threadId: string): ReturnType<JobWork>;
  removeOrphan(threadId: string): Promise<void>;
}

export interface IdleTimersOptions {
  readonly queue: JobQueue;
  readonly threads: ThreadRegistry;
  readonly policy: LifecyclePolicy;
  readonly clock: Clock;
  readonly doThreadsExpire: boolean;
  /** Another server owns the thread and handles its timer. */
  readonly isOwnedElsewhere?: ((threadId: string) => Promise<boolean>) | undefined;
  readonly onProblem: (threadId: string, error: unknown) => void;
}

const OWNED_ELSEWHERE_RETRY_MS = 30_000;

/**
 * Moves unused sandboxes from hot to warm to cold to expired, by jobs in a queue. A use does not reschedule its thread's
 * job: a job that is due too early postpones itself to the time that the last use gives. So a busy thread costs one
 * write per idle time, not one per use.
 */
export class IdleTimers {
  readonly #options: IdleTimersOptions;

  constructor(options: IdleTimersOptions) {
    this.#options = options;
  }

  start(actions: IdleTimerActions): void {
    const work: JobWork = (job) => this.#handle(job, actions);
    this.#options.queue.start(work).catch((error: unknown) => this.#options.onProblem("", error));
  }

  scheduleLive({ thread, lastUsedMs, state, handle }: LiveSandbox): void {
    const { warmAfterMs, coldAfterMs } = this.#options.policy;
    const canPause = handle.info.capabilities.pause && warmAfterMs < coldAfterMs;
    if (state === "hot" && canPause) this.#schedule(thread.id, "pause", lastUsedMs + warmAfterMs);
    else this.#schedule(thread.id, "evict", lastUsedMs + coldAfterMs);
  }

  scheduleCold(threadId: string, lastUsedMs: number): void {
    if (this.#options.doThreadsExpire)
      this.#schedule(threadId, "delete", lastUsedMs + this.#options.policy.deleteAfterMs);
  }

  scheduleOrphan(threadId: string, dueAtMs: number): void {
    this.#schedule(threadId, "terminate", dueAtMs);
  }

  async isScheduled(threadId: string): Promise<boolean> {
    const jobs = await this.#options.queue.list({ sandboxId: threadId });
    return jobs.some(({ state }) => state !== "dead");
  }

  cancel(threadId: string): void {
    this.#reportFailure(threadId, this.#options.queue.cancel(threadId));
  }

  async #handle({ sandboxId: threadId, kind }: Job, actions: IdleTimerActions): ReturnType<JobWork> {
    const { threads, policy, clock, isOwnedElsewhere } = this.#options;
    const nowMs = clock.now();
    const live = threads.live(threadId);
    if (!live && (await isOwnedElsewhere?.(threadId))) return { againAtMs: nowMs + OWNED_ELSEWHERE_RETRY_MS };
    if (kind === "terminate") return actions.removeOrphan(threadId);
    if (kind === "delete") {
      const dueMs = live ? live.lastUsedMs + policy.deleteAfterMs : nowMs;
      return dueMs > nowMs ? { againAtMs: dueMs } : actions.expire(threadId);
    }
    if (!live) return undefined;
    if (kind === "pause" && live.state !== "hot") return undefined;
    const afterMs = kind === "pause" ? policy.warmAfterMs : policy.coldAfterMs;
    const dueMs = live.lastUsedMs + afterMs;
    if (dueMs > nowMs) return { againAtMs: dueMs };
    const isDone = await actions[kind](threadId);
    return isDone ? undefined : { againAtMs: clock.now() + afterMs };
  }

  #schedule(sandboxId: string, kind: JobKind, dueAtMs: number): void {
    this.#reportFailure(sandboxId, this.#options.queue.schedule({ sandboxId, kind, dueAtMs }));
  }

  /** A queue outage must not block waking a sandbox: nothing waits for the change. */
  #reportFailure(threadId: string, change: Promise<void>): void {
    change.catch((error: unknown) => this.#options.onProblem(threadId, error));
  }
}
