import { AtollError, type Sandbox } from "@atoll/sandbox";
import type { NewMessage, Runner, Submitted } from "./contract.ts";
import { toErrorEvent } from "./failure.ts";
import { Lane } from "./lane.ts";
import { defaultLimits, type Fault, type RunnerContext, type RunnerOptions } from "./options.ts";
import { Preparation } from "./preparation.ts";
import { recoverThread } from "./recovery.ts";
import { Slots } from "./slots.ts";
import { TurnHistory } from "./turn-history.ts";

export function createRunner(options: RunnerOptions): ThreadRunner {
  return new ThreadRunner(options);
}

export class ThreadRunner implements Runner {
  readonly #context: RunnerContext;
  readonly #preparation: Preparation;
  readonly #history: TurnHistory;
  readonly #slots: Slots;
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
    this.#preparation = new Preparation(this.#context);
    this.#history = new TurnHistory(options.store.log);
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

  async decide(
    threadId: string,
    approvalId: string,
    decision: { decision: "allow" | "deny"; reason?: string },
  ): Promise<boolean> {
    return (await this.#lanes.get(threadId)?.run?.approvals.decide(approvalId, decision)) ?? false;
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
      const { woken } = await this.#preparation.open(threadId);
      return { wakeMs: woken.wakeMs };
    } catch (error) {
      this.#context.reportFault({ message: "a thread could not be prepared", threadId, error });
      const event = toErrorEvent(error);
      await this.#context.store.log.append(threadId, [{ event }]).catch(() => {});
      return undefined;
    }
  }

  async openSandbox(threadId: string): Promise<Sandbox> {
    if (!this.#context.store.threads.get(threadId)) throw noThread();
    return (await this.#preparation.open(threadId)).woken.sandbox;
  }

  remove(threadId: string): Promise<boolean> {
    const known = this.#removing.get(threadId);
    if (known) return known;
    const removing = this.#remove(threadId).finally(() => this.#removing.delete(threadId));
    this.#removing.set(threadId, removing);
    return removing;
  }

  async recover(): Promise<void> {
    const { log } = this.#context.store;
    const threadIds = log.unsettled();
    const waiting = await Promise.all(threadIds.map((threadId) => recoverThread(log, threadId)));
    for (const [index, threadId] of threadIds.entries())
      this.#openLane(threadId).restore(waiting[index] ?? []);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  /** The rows go last: when this is cut off, the thread is still there to be removed. */
  async #remove(threadId: string): Promise<boolean> {
    const { store, sandboxes, reportFault } = this.#context;
    if (!store.threads.get(threadId)) return false;
    const lane = this.#openLane(threadId);
    await lane.remove();
    await this.#preparation.end(threadId);
    for (const part of [() => sandboxes.remove(threadId), () => store.blobs.removeThread(threadId)]) {
      await part().catch((error: unknown) =>
        reportFault({ message: "a part of a thread could not be removed", threadId, error }),
      );
    }
    const isRemoved = store.threads.remove(threadId);
    this.#lanes.delete(threadId);
    this.#history.forget(threadId);
    this.#preparation.forget(threadId);
    return isRemoved;
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
      history: this.#history,
      slots: this.#slots,
      onIdle: () => this.#onIdle(lane),
    });
    this.#lanes.set(threadId, lane);
    return lane;
  }

  #onIdle(lane: Lane): void {
    const { threadId } = lane;
    try {
      this.#context.store.log.settle(threadId);
    } catch (error) {
      // The next server looks at a thread more than it has to.
      this.#context.reportFault({ message: "a thread could not be marked as settled", threadId, error });
    }
    this.#dropIfIdle(lane);
    if (this.#preparation.takePostponed(threadId)) void this.prepare(threadId);
  }
}

function noThread(): AtollError {
  return new AtollError("not_found", "There is no such thread.");
}

function reportToConsole({ message, threadId, runId, error }: Fault): void {
  console.error(`atoll: ${message} (thread ${threadId}${runId ? `, ${runId}` : ""})`, error);
}
