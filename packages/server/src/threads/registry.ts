import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { ThreadEvent } from "@atoll/protocol";
import { Branching } from "./branch/branch.ts";
import type { BranchedThread, BranchOptions, Decision, NewMessage, Runner, Submitted } from "./contract.ts";
import { toErrorEvent } from "./failure.ts";
import { Lane } from "./queue.ts";
import { defaultLimits, type Fault, type RunnerContext, type RunnerOptions } from "./options.ts";
import { Preparation } from "./prepare.ts";
import { type Recovered, recoverThread } from "./resume.ts";
import { Restores } from "./restore-notices.ts";
import { Rules } from "./approvals/rules.ts";
import { Slots } from "./run-slot.ts";
import { TurnCheckpoints } from "./checkpoints.ts";
import { TurnHistory } from "./turn-history.ts";

export function createRunner(options: RunnerOptions): ThreadRunner {
  return new ThreadRunner(options);
}

export class ThreadRunner implements Runner {
  readonly #context: RunnerContext;
  readonly #preparation: Preparation;
  readonly #restores = new Restores({ write: (threadId, event) => this.#tellOfSandbox(threadId, event) });
  readonly #checkpoints: TurnCheckpoints;
  readonly #branching: Branching;
  readonly #history: TurnHistory;
  readonly #slots: Slots;
  readonly #rules: Rules;
  readonly #lanes = new Map<string, Lane>();
  readonly #removing = new Map<string, Promise<boolean>>();
  readonly #closing = new AbortController();

  constructor(options: RunnerOptions) {
    this.#context = {
      ...options,
      limits: { ...defaultLimits, ...options.limits },
      reportFault: options.reportFault ?? reportToConsole,
      closing: this.#closing.signal,
    };
    this.#checkpoints = new TurnCheckpoints(this.#context);
    this.#branching = new Branching(this.#context);
    this.#preparation = new Preparation(this.#context, {
      restores: this.#restores,
      checkpoints: this.#checkpoints,
    });
    options.sandboxes.subscribe((threadId, change) => {
      this.#restores.note(threadId, change);
      this.#preparation.note(threadId, change);
    });
    this.#history = new TurnHistory(options.store.log);
    this.#rules = new Rules({
      threads: options.store.threads,
      serverRules: () => options.approvalRules?.() ?? [],
    });
    this.#slots = new Slots(this.#context.limits.maxRunsAtOnce);
  }

  async submit(threadId: string, message: NewMessage): Promise<Submitted> {
    if (this.#closing.signal.aborted) throw new AtollError("aborted", "The server is shutting down.");
    return this.#withLane(threadId, (lane) => lane.submit(message));
  }

  async stop(threadId: string, options: { reason?: string } = {}): Promise<boolean> {
    return (await this.#lanes.get(threadId)?.stop(options)) ?? false;
  }

  async withdraw(threadId: string, messageId: string): Promise<boolean> {
    return (await this.#lanes.get(threadId)?.withdraw(messageId)) ?? false;
  }

  async decide(threadId: string, approvalId: string, decision: Decision): Promise<boolean> {
    return (await this.#lanes.get(threadId)?.run?.approvals.decide(approvalId, decision)) ?? false;
  }

  reconsider(threadId: string): void {
    this.#lanes.get(threadId)?.run?.approvals.reconsider();
  }

  async waitForDone(
    threadId: string,
    messageId: string,
    signal: AbortSignal,
  ): ReturnType<Runner["waitForDone"]> {
    return this.#withLane(threadId, (lane) => lane.waitForDone(messageId, signal));
  }

  activity(threadId: string): ReturnType<Runner["activity"]> {
    const lane = this.#lanes.get(threadId);
    const run = lane?.run;
    return {
      ...(run ? { runId: run.runId, messageId: run.message.messageId } : {}),
      queued: lane?.queued ?? [],
      approvals: run?.approvals.open ?? [],
    };
  }

  async prepare(threadId: string): ReturnType<Runner["prepare"]> {
    try {
      const { woken } = await this.#preparation.open(threadId, { hasNewFiles: true });
      return { wakeMs: woken.wakeMs };
    } catch (error) {
      // Who removed the thread meanwhile does not want to hear of it.
      if (this.#removing.has(threadId) || !this.#context.store.threads.has(threadId)) return undefined;
      // It is prepared when the next server is asked for it.
      if (this.#closing.signal.aborted) return undefined;
      this.#context.reportFault({ message: "a thread could not be prepared", threadId, error });
      const event = toErrorEvent(error);
      await this.#context.store.log.append(threadId, [{ event }]).catch(() => {});
      return undefined;
    }
  }

  async hasReadFiles(threadId: string): Promise<boolean> {
    return (await this.#preparation.findData(threadId)) !== undefined;
  }

  async openSandbox(threadId: string): Promise<Sandbox> {
    if (!this.#context.store.threads.get(threadId)) throw noThread();
    return (await this.#preparation.open(threadId)).woken.sandbox;
  }

  async restartKernel(threadId: string): Promise<void> {
    if (!this.#context.store.threads.get(threadId)) throw noThread();
    const { python } = await this.#preparation.reach(threadId);
    // Before and after: files that are being read meanwhile are read again.
    this.#preparation.noteNewKernel(threadId);
    await python.restart();
    this.#preparation.noteNewKernel(threadId);
    this.#restores.noteNewKernel(threadId);
    // A run under way loads them with the next message.
    if (!this.#lanes.get(threadId)?.run) await this.prepare(threadId);
  }

  async interruptKernel(threadId: string): Promise<boolean> {
    if (!this.#context.store.threads.get(threadId)) throw noThread();
    if (this.#context.sandboxes.state(threadId) !== "hot") return false;
    const { python } = await this.#preparation.reach(threadId);
    const isBusy = (await python.contexts()).some(({ name, isBusy }) => name === "default" && isBusy);
    if (isBusy) await python.interrupt("default");
    return isBusy;
  }

  async branch(threadId: string, options: BranchOptions): Promise<BranchedThread> {
    const checkSource = () => {
      if (this.#closing.signal.aborted) throw new AtollError("aborted", "The server is shutting down.");
      if (this.#removing.has(threadId)) throw noThread();
    };
    checkSource();
    await this.#lanes.get(threadId)?.untilRecorded();
    const source = this.#context.store.threads.get(threadId);
    if (!source) throw noThread();
    return this.#branching.branch(source, options, checkSource);
  }

  async rest(threadId: string): Promise<void> {
    const lane = this.#lanes.get(threadId);
    const isAnswering = lane?.run ? !lane.run.isAtRest : (lane?.queued ?? []).length > 0;
    if (isAnswering) throw new AtollError("busy", "A message is being answered in this thread.");
    await this.#context.sandboxes.rest(threadId);
  }

  async expire(
    threadId: string,
    unusedMs: number,
    options: { isFinal?: boolean } = {},
  ): ReturnType<Runner["expire"]> {
    const { store, sandboxes } = this.#context;
    if (await store.trash.has(threadId)) return;
    const thread = store.threads.get(threadId);
    if (!thread && !(await store.threads.has(threadId))) return sandboxes.remove(threadId);
    const { runId, queued } = this.activity(threadId);
    const isInUse = runId !== undefined || queued.length > 0 || store.log.hasFollowers(threadId);
    if (!thread || isInUse) return { againAtMs: Date.now() + expiryRetryMs };
    const { graceMs } = await store.ages.advance();
    const unusedSoFarMs = (await store.threads.unusedMs(threadId)) ?? 0;
    const leftMs = Math.max(graceMs, unusedMs - unusedSoFarMs);
    if (leftMs > 0) return { againAtMs: Date.now() + leftMs };
    await (options.isFinal ? this.remove(threadId) : this.trash(threadId));
  }

  remove(threadId: string): Promise<boolean> {
    return this.#takeAway(threadId, () => this.#remove(threadId));
  }

  trash(threadId: string): Promise<boolean> {
    return this.#takeAway(threadId, () => this.#trash(threadId));
  }

  async restore(threadId: string): Promise<boolean> {
    await this.#removing.get(threadId)?.catch(() => {});
    return this.#context.store.trash.restore(threadId);
  }

  async purge(threadId: string): Promise<boolean> {
    await this.#removing.get(threadId)?.catch(() => {});
    return this.#takeAway(threadId, () => this.#purge(threadId));
  }

  async recover(threadId?: string): Promise<void> {
    const { log } = this.#context.store;
    const threadIds = log.unsettled().filter((id) => threadId === undefined || id === threadId);
    const recovered = await Promise.all(threadIds.map((threadId) => this.#recoverThread(threadId)));
    for (const [index, threadId] of threadIds.entries()) {
      const found = recovered[index];
      if (!found) continue;
      const lane = this.#openLane(threadId);
      if (found.open) lane.resume(found.open, found.steering);
      lane.restore(found.waiting);
    }
  }

  isIdle(threadId: string): boolean {
    const isLaneIdle = this.#lanes.get(threadId)?.isIdle ?? true;
    return isLaneIdle && !this.#removing.has(threadId) && !this.#preparation.isUnderWay(threadId);
  }

  async letGo(threadId: string): Promise<void> {
    await this.#lanes.get(threadId)?.letGo();
    await this.#preparation.end(threadId);
    this.#forget(threadId);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  /** Undefined if the log is damaged: the thread stays unsettled until it is repaired, and the others start. */
  async #recoverThread(threadId: string): Promise<Recovered | undefined> {
    try {
      return await recoverThread(this.#context.store.log, threadId);
    } catch (error) {
      if (!(error instanceof AtollError) || error.code !== "damaged") throw error;
      this.#context.reportFault({ message: "a damaged thread could not be recovered", threadId, error });
      return undefined;
    }
  }

  /** One at a time in a thread. */
  #takeAway(threadId: string, work: () => Promise<boolean>): Promise<boolean> {
    const known = this.#removing.get(threadId);
    if (known) return known;
    const removing = work().finally(() => this.#removing.delete(threadId));
    this.#removing.set(threadId, removing);
    return removing;
  }

  /** The rows go last: when this is cut off, the thread is still there to be removed. */
  async #remove(threadId: string): Promise<boolean> {
    const { store } = this.#context;
    if (!store.threads.get(threadId)) return false;
    await this.#endLane(threadId);
    await this.#removeParts(threadId);
    const isRemoved = await store.threads.remove(threadId);
    this.#forget(threadId);
    return isRemoved;
  }

  async #trash(threadId: string): Promise<boolean> {
    const { store, sandboxes } = this.#context;
    if (!store.threads.get(threadId)) return false;
    await this.#endLane(threadId);
    await this.#try(threadId, "the sandbox of a thread in the trash could not end", () =>
      sandboxes.rest(threadId),
    );
    const isPut = await store.trash.put(threadId);
    this.#forget(threadId);
    return isPut;
  }

  async #purge(threadId: string): Promise<boolean> {
    const { trash } = this.#context.store;
    if (!(await trash.has(threadId))) return false;
    await this.#removeParts(threadId);
    return trash.purge(threadId);
  }

  async #endLane(threadId: string): Promise<void> {
    await this.#openLane(threadId).remove();
    await this.#preparation.end(threadId);
  }

  async #removeParts(threadId: string): Promise<void> {
    const { store, sandboxes } = this.#context;
    for (const part of [() => sandboxes.remove(threadId), () => store.blobs.removeThread(threadId)])
      await this.#try(threadId, "a part of a thread could not be removed", part);
  }

  async #try(threadId: string, message: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.#context.reportFault({ message, threadId, error }));
  }

  #forget(threadId: string): void {
    this.#lanes.delete(threadId);
    this.#history.forget(threadId);
    this.#preparation.forget(threadId);
  }

  /** A lane in which nothing is left to do is not kept. */
  async #withLane<Result>(threadId: string, use: (lane: Lane) => Promise<Result>): Promise<Result> {
    const lane = this.#openLane(threadId);
    try {
      return await use(lane);
    } finally {
      this.#dropIfIdle(lane);
    }
  }

  #dropIfIdle(lane: Lane): void {
    // One that is being removed stays to refuse messages until its thread is gone.
    if (this.#removing.has(lane.threadId)) return;
    if (lane.isIdle && this.#lanes.get(lane.threadId) === lane) this.#lanes.delete(lane.threadId);
  }

  #openLane(threadId: string): Lane {
    const known = this.#lanes.get(threadId);
    if (known) return known;
    if (!this.#context.store.threads.get(threadId)) throw noThread();
    const lane = new Lane(threadId, {
      context: this.#context,
      preparation: this.#preparation,
      restores: this.#restores,
      checkpoints: this.#checkpoints,
      history: this.#history,
      slots: this.#slots,
      rules: this.#rules,
      onIdle: () => this.#onIdle(lane),
    });
    this.#lanes.set(threadId, lane);
    return lane;
  }

  /** As a part of the run under way, so that whoever follows its answer sees it. */
  #tellOfSandbox(threadId: string, event: ThreadEvent): void {
    if (this.#lanes.get(threadId)?.run?.note(event)) return;
    const { store, reportFault } = this.#context;
    store.log.append(threadId, [{ event }]).catch((error: unknown) => {
      if (error instanceof AtollError && error.code === "not_found") return;
      reportFault({ message: "a restore could not be told", threadId, error });
    });
  }

  #onIdle(lane: Lane): void {
    const { threadId } = lane;
    this.#context.store.log.settle(threadId).catch((error: unknown) => {
      // The next server looks at a thread more than it has to.
      this.#context.reportFault({ message: "a thread could not be marked as settled", threadId, error });
    });
    this.#dropIfIdle(lane);
    if (this.#preparation.takePostponed(threadId)) void this.prepare(threadId);
  }
}

/** A thread that is in use when it would expire is looked at again after this time. */
const expiryRetryMs = 3_600_000;

function noThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}

function reportToConsole({ message, threadId, runId, error }: Fault): void {
  console.error(`atoll: ${message} (thread ${threadId}${runId ? `, ${runId}` : ""})`, error);
}
