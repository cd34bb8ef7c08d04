import type { Awake } from "@atoll/agent";
import type { StateChange, WakeResult } from "@atoll/lifecycle";
import type { ThreadEvent } from "@atoll/protocol";
import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { Semaphore } from "@atoll/std";
import { Rules } from "./approvals/rules.ts";
import { branchThread } from "./branch/branch.ts";
import { beforeRun, takeCheckpoint } from "./checkpoints.ts";
import type { BranchedThread, BranchOptions, Runner } from "./contract.ts";
import { TurnHistory } from "./history.ts";
import type { RunnerContext } from "./options.ts";
import { Preparation } from "./prepare.ts";
import { MessageQueue } from "./queue.ts";
import { RestoreNotices } from "./restore-notices.ts";
import { type Recovered, recoverThread } from "./resume.ts";
import { toErrorEvent } from "./run-outcome.ts";

/** What all threads of a server share. */
export interface SharedParts {
  readonly context: RunnerContext;
  /** Bounds the runs of all threads. */
  readonly runSlots: Semaphore;
  /** Bounds the sandboxes that start and load tables at once. */
  readonly startSlots: Semaphore;
  /** Nothing waits and nothing runs in this thread. */
  onIdle(thread: Thread): void;
}

/** One thread on the server that owns it: its queue and run, its sandbox's readiness, and what is known of both. */
export class Thread {
  readonly id: string;
  readonly context: RunnerContext;
  readonly queue: MessageQueue;
  readonly preparation: Preparation;
  readonly history: TurnHistory;
  readonly restoreNotices: RestoreNotices;
  readonly rules: Rules;
  readonly #onIdle: (thread: Thread) => void;
  #unfinished: Recovered | undefined;
  #removal: Promise<boolean> | undefined;
  #uses = 0;

  constructor(id: string, { context, runSlots, startSlots, onIdle }: SharedParts) {
    this.id = id;
    this.context = context;
    this.queue = new MessageQueue(this, runSlots, () => this.#settle());
    this.preparation = new Preparation(id, context, startSlots);
    this.history = new TurnHistory(context.store.log, id);
    this.restoreNotices = new RestoreNotices((event) => this.#writeSandboxEvent(event));
    this.rules = new Rules(context, id);
    this.#onIdle = onIdle;
  }

  get isRemoving(): boolean {
    return this.#removal !== undefined;
  }

  /** Nothing runs, waits or is being prepared. */
  get isIdle(): boolean {
    return this.queue.isIdle && !this.isRemoving && !this.#unfinished && !this.preparation.isUnderWay;
  }

  /** Nothing would be lost without this object: all that it knows is in the log. */
  get isDisposable(): boolean {
    const isInLog = this.restoreNotices.pending === undefined && this.preparation.isInLog;
    return this.#uses === 0 && this.isIdle && isInLog;
  }

  /** Frees what can be read from the log again. */
  dropCaches(): void {
    this.history.dropCache();
    this.preparation.dropCache();
  }

  /** Keeps this object from being disposed of while `work` uses it. */
  async use<Result>(work: (thread: Thread) => Promise<Result>): Promise<Result> {
    this.#uses += 1;
    try {
      return await work(this);
    } finally {
      this.#uses -= 1;
    }
  }

  noteSandboxChange(change: StateChange): void {
    if (change.to === "removed") return this.restoreNotices.clear();
    this.restoreNotices.noteChange(change);
    this.preparation.noteChange(change);
  }

  activity(): ReturnType<Runner["activity"]> {
    const { run, queued } = this.queue;
    return {
      ...(run ? { runId: run.runId, messageId: run.message.messageId } : {}),
      queued,
      approvals: run?.approvals.open ?? [],
    };
  }

  async prepare({ hasNewFiles = true } = {}): ReturnType<Runner["prepare"]> {
    const { store, closing, reportFault } = this.context;
    try {
      const { woken } = await this.preparation.open({ hasNewFiles });
      return { wakeMs: woken.wakeMs };
    } catch (error) {
      // No caller waits for a thread that was removed meanwhile.
      if (this.isRemoving || !(await store.threads.has(this.id))) return undefined;
      // The next server prepares it on demand.
      if (closing.aborted) return undefined;
      reportFault({ message: "a thread could not be prepared", threadId: this.id, error });
      await store.log.append(this.id, [{ event: toErrorEvent(error) }]).catch(() => {});
      return undefined;
    }
  }

  /** For the agent of a run, with what it has not been told yet. `runId`: first records changes made before that run. */
  async wake(runId?: string): Promise<Awake> {
    const { woken } = await this.preparation.open();
    if (runId !== undefined && this.context.sandboxes.hasNonPythonChanges(this.id))
      takeCheckpoint(this.context, this.id, beforeRun(runId));
    const restore = this.restoreNotices.pending;
    return {
      sandbox: this.preparation.watch(woken.sandbox),
      state: describeWake(woken),
      wakeMs: woken.wakeMs,
      ...(restore ? { restore, markTold: () => this.restoreNotices.acknowledge(restore) } : {}),
    };
  }

  async openSandbox(): Promise<Sandbox> {
    this.#requireRow();
    return (await this.preparation.open()).woken.sandbox;
  }

  async restartKernel(): Promise<void> {
    this.#requireRow();
    const { python } = await this.preparation.reach();
    // Before and after: files that are being read meanwhile are read again.
    this.preparation.noteNewKernel();
    await python.restart();
    this.preparation.noteNewKernel();
    this.restoreNotices.noteKernelRestart();
    // While a run is under way, the tables are loaded with the next message. A preparation under way loads them too.
    if (!this.queue.run) await this.prepare({ hasNewFiles: false });
  }

  async interruptKernel(): Promise<boolean> {
    this.#requireRow();
    if (this.context.sandboxes.state(this.id) !== "hot") return false;
    const { python } = await this.preparation.reach();
    const isBusy = (await python.contexts()).some(({ name, isBusy }) => name === "default" && isBusy);
    if (isBusy) await python.interrupt("default");
    return isBusy;
  }

  async branch(options: BranchOptions): Promise<BranchedThread> {
    const checkSource = () => {
      if (this.context.closing.aborted) throw new AtollError("aborted", "The server is shutting down.");
      if (this.isRemoving) throw noSuchThread();
    };
    checkSource();
    await this.queue.untilRecorded();
    const source = this.context.store.threads.get(this.id);
    if (!source) throw noSuchThread();
    return branchThread(this.context, source, options, checkSource);
  }

  async suspendSandbox(): Promise<void> {
    const { run, queued } = this.queue;
    const isAnswering = run ? !run.isAtRest : queued.length > 0;
    if (isAnswering) throw new AtollError("busy", "A message is being answered in this thread.");
    await this.context.sandboxes.hibernate(this.id);
  }

  /** Closes what a dead server left open. A damaged thread stays as it is until it is repaired. */
  async recover(): Promise<void> {
    try {
      this.#unfinished = await recoverThread(this.context.store.log, this.id);
    } catch (error) {
      if (!(error instanceof AtollError) || error.code !== "damaged") throw error;
      this.#report("a damaged thread could not be recovered", error);
    }
  }

  /** Continues with what `recover` has found. */
  resume(): void {
    const unfinished = this.#unfinished;
    if (!unfinished) return;
    this.#unfinished = undefined;
    if (unfinished.open) this.queue.resume(unfinished.open, unfinished.steering);
    this.queue.restore(unfinished.waiting);
  }

  /** Removes the thread. The rows go last: if this is cut off, the thread can still be removed. */
  remove(): Promise<boolean> {
    return this.#removeOnce(async () => {
      if (!this.context.store.threads.get(this.id)) return false;
      await this.#end();
      await this.#removeParts();
      return this.context.store.threads.remove(this.id);
    });
  }

  trash(): Promise<boolean> {
    const { store, sandboxes } = this.context;
    return this.#removeOnce(async () => {
      if (!store.threads.get(this.id)) return false;
      await this.#end();
      await this.#try("the sandbox of a thread in the trash could not end", () =>
        sandboxes.hibernate(this.id),
      );
      return store.trash.put(this.id);
    });
  }

  async restore(): Promise<boolean> {
    await this.#removal?.catch(() => {});
    return this.context.store.trash.restore(this.id);
  }

  async purge(): Promise<boolean> {
    const { trash } = this.context.store;
    await this.#removal?.catch(() => {});
    return this.#removeOnce(async () => {
      if (!(await trash.has(this.id))) return false;
      await this.#removeParts();
      return trash.purge(this.id);
    });
  }

  /** Another server owns the thread from here on. */
  async release(): Promise<void> {
    await this.queue.release();
    await this.preparation.end();
  }

  /** One removal at a time. */
  #removeOnce(work: () => Promise<boolean>): Promise<boolean> {
    this.#removal ??= work().finally(() => (this.#removal = undefined));
    return this.#removal;
  }

  async #end(): Promise<void> {
    await this.queue.remove();
    await this.preparation.end();
  }

  async #removeParts(): Promise<void> {
    const { store, sandboxes } = this.context;
    for (const part of [() => sandboxes.remove(this.id), () => store.blobs.removeThread(this.id)])
      await this.#try("a part of a thread could not be removed", part);
  }

  /** Nothing waits and nothing runs. */
  #settle(): void {
    // If this fails, the next server looks at the thread once more than needed.
    this.context.store.log.settle(this.id).catch((error: unknown) => {
      this.#report("a thread could not be marked as settled", error);
    });
    if (this.preparation.takePostponed()) void this.prepare();
    this.#onIdle(this);
  }

  /** As a part of the run under way, so that readers of its answer see it. */
  #writeSandboxEvent(event: ThreadEvent): void {
    if (this.queue.run?.note(event)) return;
    this.context.store.log.append(this.id, [{ event }]).catch((error: unknown) => {
      if (error instanceof AtollError && error.code === "not_found") return;
      this.#report("an event of the sandbox could not be stored", error);
    });
  }

  #requireRow(): void {
    if (!this.context.store.threads.get(this.id)) throw noSuchThread();
  }

  async #try(message: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.#report(message, error));
  }

  #report(message: string, error: unknown): void {
    this.context.reportFault({ message, threadId: this.id, error });
  }
}

export function noSuchThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}

function describeWake({ from, wakeMs }: WakeResult): string {
  return from === "hot" ? "hot" : `${from}→hot (${Math.round(wakeMs)}ms)`;
}
