import type { Clock } from "./clock.ts";
import type { LifecyclePolicy } from "./policy.ts";
import type { Job, JobKind, JobQueue, JobWork } from "./queue/contract.ts";
import type { Resident, Residents } from "./thread-sandbox.ts";

export interface AlarmActions {
  /** False: something goes on in it. */
  pause(threadId: string): Promise<boolean>;
  evict(threadId: string): Promise<boolean>;
  expire(threadId: string): ReturnType<JobWork>;
  endOrphan(threadId: string): Promise<void>;
}

export interface AlarmOptions {
  readonly queue: JobQueue;
  readonly residents: Residents;
  readonly policy: LifecyclePolicy;
  readonly clock: Clock;
  readonly doThreadsExpire: boolean;
  /** Another server has the sandbox: the alarm is for that one. */
  readonly isHeldElsewhere?: ((threadId: string) => Promise<boolean>) | undefined;
  readonly onProblem: (threadId: string, error: unknown) => void;
}

const elsewhereMs = 30_000;

/**
 * When a thread is looked at next. A use does not move its alarm: an alarm that goes off too early sets itself to the
 * time that the latest use gives, so that a busy thread costs one write in a while and not one a use.
 */
export class Alarms {
  readonly #options: AlarmOptions;

  constructor(options: AlarmOptions) {
    this.#options = options;
  }

  start(actions: AlarmActions): void {
    const work: JobWork = (job) => this.#answer(job, actions);
    this.#options.queue.start(work).catch((error: unknown) => this.#options.onProblem("", error));
  }

  setFor(resident: Resident): void {
    const { threadId, lastUsedMs, state, handle } = resident;
    const { warmAfterMs, coldAfterMs } = this.#options.policy;
    const canPause = handle.info.capabilities.pause && warmAfterMs < coldAfterMs;
    if (state === "hot" && canPause) this.#set(threadId, "pause", lastUsedMs + warmAfterMs);
    else this.#set(threadId, "evict", lastUsedMs + coldAfterMs);
  }

  setForCold(threadId: string, lastUsedMs: number): void {
    if (this.#options.doThreadsExpire)
      this.#set(threadId, "delete", lastUsedMs + this.#options.policy.deleteAfterMs);
  }

  setForOrphan(threadId: string, dueAtMs: number): void {
    this.#set(threadId, "terminate", dueAtMs);
  }

  async isSetFor(threadId: string): Promise<boolean> {
    const jobs = await this.#options.queue.list({ sandboxId: threadId });
    return jobs.some(({ state }) => state !== "dead");
  }

  clear(threadId: string): void {
    this.#unlessFailing(threadId, this.#options.queue.cancel(threadId));
  }

  async #answer({ sandboxId: threadId, kind }: Job, actions: AlarmActions): ReturnType<JobWork> {
    const { residents, policy, clock, isHeldElsewhere } = this.#options;
    const nowMs = clock.now();
    const resident = residents.get(threadId);
    if (!resident && (await isHeldElsewhere?.(threadId))) return { againAtMs: nowMs + elsewhereMs };
    if (kind === "terminate") return actions.endOrphan(threadId);
    if (kind === "delete") {
      const dueMs = resident ? resident.lastUsedMs + policy.deleteAfterMs : nowMs;
      return dueMs > nowMs ? { againAtMs: dueMs } : actions.expire(threadId);
    }
    if (!resident) return undefined;
    if (kind === "pause" && resident.state !== "hot") return undefined;
    const afterMs = kind === "pause" ? policy.warmAfterMs : policy.coldAfterMs;
    const dueMs = resident.lastUsedMs + afterMs;
    if (dueMs > nowMs) return { againAtMs: dueMs };
    const isDone = await actions[kind](threadId);
    return isDone ? undefined : { againAtMs: clock.now() + afterMs };
  }

  #set(sandboxId: string, kind: JobKind, dueAtMs: number): void {
    this.#unlessFailing(sandboxId, this.#options.queue.schedule({ sandboxId, kind, dueAtMs }));
  }

  /** A queue that is away keeps no thread from its sandbox. */
  #unlessFailing(threadId: string, change: Promise<void>): void {
    change.catch((error: unknown) => this.#options.onProblem(threadId, error));
  }
}
