import { randomUUID } from "node:crypto";
import type { AnswerRequest } from "@atoll/agent";
import {
  type DataProfile,
  type RunOutcome,
  type StoredEvent,
  RunTally,
  type ThreadEvent,
} from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { rejectOnAbort } from "@atoll/std";
import type { ThreadSettings } from "../store/contract.ts";
import { Approvals } from "./approvals/approvals.ts";
import { SteeringBox, type WaitingMessage } from "./messages.ts";
import type { OpenRun } from "./resume.ts";
import { RunEvents } from "./run-events.ts";
import { asInterrupted, type Ending, storeLastEvents, tallyLog, toLastEvents } from "./run-outcome.ts";
import { chooseAnswerer, describeThread, RunSandbox } from "./run-request.ts";
import type { RunSlot } from "./run-slot.ts";
import type { Thread } from "./thread.ts";

export interface RunOptions {
  readonly slot: RunSlot;
  /** What an earlier server left of the run. */
  readonly open?: OpenRun;
  /** `done` cannot be stored for now. The run keeps trying. */
  onStuck(error: unknown): void;
}

/** One answer, from `run_started` to `done`. Whatever the agent does, there is exactly one `done`, and it comes last. */
export class Run {
  readonly runId: string;
  readonly message: WaitingMessage;
  readonly steering: SteeringBox;
  readonly approvals: Approvals;
  readonly #thread: Thread;
  readonly #options: RunOptions;
  readonly #events: RunEvents;
  readonly #sandbox: RunSandbox;
  readonly #stop = new AbortController();
  readonly #tally: RunTally;
  #isShutdown = false;
  #model: string;
  #answering: Promise<unknown> = Promise.resolve();

  constructor(thread: Thread, message: WaitingMessage, options: RunOptions) {
    const { open, slot } = options;
    const { context, rules } = thread;
    this.runId = open?.runId ?? `run_${randomUUID()}`;
    this.message = message;
    this.steering = new SteeringBox(open?.steered);
    this.#thread = thread;
    this.#options = options;
    this.#model = open?.model ?? "unknown";
    this.#tally = open?.tally ?? new RunTally();
    const { signal } = this.#stop;
    this.#sandbox = new RunSandbox(thread, this.runId, signal, { isResumed: open !== undefined });
    const ids = { threadId: thread.id, runId: this.runId };
    this.#events = new RunEvents(context, ids, this.#tally, (error) => this.#stop.abort(error));
    this.approvals = new Approvals({
      write: (event) => this.#events.write(event),
      judge: (call) => rules.judge(call),
      remember: (rule) => rules.remember(rule),
      whileWaiting: (waiting) => slot.releaseWhile(waiting, signal),
      timeoutMs: context.limits.approvalTimeoutMs,
    });
    for (const asked of open?.approvals ?? []) this.approvals.restore(asked);
  }

  get isUnderWay(): boolean {
    return this.#events.isOpen && !this.#stop.signal.aborted;
  }

  /** Nothing happens until a user decides, so the sandbox may be suspended. */
  get isAtRest(): boolean {
    return this.#options.slot.isWaiting;
  }

  /** A user is asked, by the run itself or by one of its programs. */
  get isWaiting(): boolean {
    return this.isUnderWay && this.approvals.open.length > 0;
  }

  answers(messageId: string): boolean {
    return [this.message, ...this.steering.taken].some((message) => message.messageId === messageId);
  }

  /** Resolves with the stored `done`, or undefined when the thread is gone or the server closes first. Never rejects. */
  async perform(): Promise<StoredEvent | undefined> {
    const endUse = this.#thread.context.useThread?.(this.#thread.id);
    try {
      return await this.#close(await this.#answer());
    } catch (error) {
      this.#report("a run could not be closed", error);
      return undefined;
    } finally {
      this.#options.slot.releaseSandbox();
      endUse?.();
    }
  }

  stop(options: { reason?: string | undefined; isShutdown?: boolean } = {}): void {
    if (!this.isUnderWay) return;
    this.#isShutdown = options.isShutdown ?? false;
    if (options.reason !== undefined && !this.#isShutdown)
      this.#events.emit({ type: "status", text: options.reason });
    this.approvals.end("The run was stopped.");
    this.#stop.abort(new AtollError("aborted", options.reason ?? "The run was stopped."));
  }

  /** Ends without writing: another server owns the log. */
  cutOff(error: AtollError): void {
    this.#events.cutOff(error);
    this.approvals.end("The run was stopped.");
    this.#stop.abort(error);
  }

  /** Ends without writing: the next server continues the run from its log. */
  suspend(): void {
    this.approvals.suspend();
    const error = new AtollError("aborted", "The server is shutting down.");
    this.#events.cutOff(error);
    this.#stop.abort(error);
  }

  /** Waits, within limits, until the agent has ended too. Resolves with whether it had the sandbox. */
  async settled(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), this.#thread.context.limits.abandonedMs);
    timer.unref();
    const hadSandbox = await Promise.race([this.#answering.then(() => this.#sandbox.settled()), promise]);
    clearTimeout(timer);
    return hadSandbox;
  }

  /** Adds an event of the thread's sandbox to the run. False when the run takes no more events. */
  note(event: ThreadEvent): boolean {
    if (!this.#events.isOpen) return false;
    void this.#events.write(event);
    return true;
  }

  /** After the end: messages that were meant to steer and did not, going by the log. */
  leftOver(): readonly WaitingMessage[] {
    const { runId, steering } = this;
    if (!this.#events.failure) return steering.offered;
    return steering.leftOver(
      this.#thread.context.store.log.read(this.#thread.id, { runId, types: ["steered"] }),
    );
  }

  async #answer(): Promise<Ending> {
    const { context, preparation, history } = this.#thread;
    const { open, slot } = this.#options;
    try {
      // A resumed run does nothing until the approvals of the earlier server are decided.
      if (open) {
        const decided = this.approvals.untilRestoredAreDecided();
        await slot.releaseWhile(rejectOnAbort(decided, this.#stop.signal), this.#stop.signal);
      }
      const turns = history.read();
      const model = this.#begin(context.store.threads.get(this.#thread.id)?.settings ?? {});
      const data = (await preparation.findData()) ?? (await this.#prepareData());
      slot.holdSandbox();
      this.#stop.signal.throwIfAborted();
      const answering = context.answer(this.#makeRequest(turns, model, data));
      this.#answering = answering.catch(() => {});
      // After a stop, an agent that does not end is abandoned.
      const givingUp = rejectAfterAbort(this.#stop.signal, context.limits.stopGraceMs, () => this.#answering);
      const outcome = await Promise.race([answering, givingUp]);
      const status = await context.lastStatus?.(this.#thread.id);
      if (status) this.#events.emit(status);
      return { outcome };
    } catch (error) {
      if (this.#stop.signal.aborted) return { outcome: this.#tallyUp("stopped") };
      this.#report("a run failed", error);
      return { outcome: this.#tallyUp("failed"), failure: { error } };
    }
  }

  /** `run_started` is also written when no model can be resolved. */
  #begin(settings: ThreadSettings): AnswerRequest["model"] {
    this.#model = settings.model ?? this.#model;
    try {
      const { model, name } = chooseAnswerer(this.message, settings, this.#thread.context);
      this.#model = name;
      return model;
    } finally {
      if (!this.#options.open) this.#writeStart();
    }
  }

  #writeStart(): void {
    const ids = { run_id: this.runId, message_id: this.message.messageId };
    void this.#events.write({ type: "run_started", ...ids, model: this.#model });
    // Indexed after the model was asked: the search can wait, the answer cannot.
    setImmediate(() => this.#events.index(this.message.text));
  }

  async #prepareData(): Promise<DataProfile> {
    this.#events.emit({ type: "status", code: "reading_files", text: "Reading the files" });
    const opened = this.#thread.preparation.open();
    return (await rejectOnAbort(opened, this.#stop.signal)).data;
  }

  #makeRequest(
    history: AnswerRequest["history"],
    model: AnswerRequest["model"],
    data: DataProfile,
  ): AnswerRequest {
    return {
      ...describeThread(this.#thread),
      message: this.message.text,
      history,
      model,
      data,
      signal: this.#stop.signal,
      resume: this.#options.open?.resumption,
      wake: () => {
        const awake = this.#sandbox.wake();
        // The agent may be in its model call when this fails. It gets the error when it uses the sandbox.
        awake.catch(() => {});
        return awake;
      },
      emit: (event) => this.#events.emit(event),
      tally: this.#tally,
      approve: (call, options) => this.approvals.seek(call, options?.signal),
      takeSteering: () => this.#takeSteering(),
    };
  }

  #takeSteering(): ReturnType<AnswerRequest["takeSteering"]> {
    if (!this.isUnderWay) return [];
    const taken = this.steering.take();
    for (const { messageId, text } of taken) {
      void this.#events.write({ type: "steered", message_id: messageId });
      this.#events.index(text);
    }
    return taken;
  }

  async #close(given: Ending): Promise<StoredEvent | undefined> {
    this.approvals.end("The run has ended.");
    await this.#events.settled();
    const makeEvents = () => toLastEvents(this.#decideEnding(given), this.#doneIds());
    const stored = await storeLastEvents(this.#events, makeEvents, {
      closing: this.#thread.context.closing,
      onFailure: (error) => {
        this.#report("the end of a run could not be stored", error);
        this.#options.onStuck(error);
      },
    });
    if (stored?.type === "done") {
      this.#events.index(stored.response);
      this.#thread.context.onDone?.(stored);
    }
    return stored;
  }

  /** If a write has failed, the outcome is made of what is stored, even if the agent said more. */
  #decideEnding(given: Ending): Ending {
    const broken = this.#events.failure;
    if (!broken) return this.#isShutdown ? asInterrupted(given) : given;
    const events = this.#thread.context.store.log.read(this.#thread.id, { runId: this.runId });
    return { outcome: tallyLog(events).outcome(this.#facts("failed")), failure: broken };
  }

  #doneIds() {
    return { thread_id: this.#thread.id, run_id: this.runId, message_id: this.message.messageId };
  }

  #tallyUp(status: RunOutcome["status"]): RunOutcome {
    return this.#tally.outcome(this.#facts(status), performance.now());
  }

  #facts(status: RunOutcome["status"]) {
    return { status, model: this.#model, container_state: this.#sandbox.state };
  }

  #report(message: string, error: unknown): void {
    this.#thread.context.reportFault({ message, threadId: this.#thread.id, runId: this.runId, error });
  }
}

/** Rejects when this long has passed after the abort, unless the work has ended by then. */
async function rejectAfterAbort(
  signal: AbortSignal,
  graceMs: number,
  work: () => Promise<unknown>,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => {
    const timer = setTimeout(() => reject(signal.reason), graceMs);
    void work().then(() => clearTimeout(timer));
  };
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });
  return promise;
}
