import { randomUUID } from "node:crypto";
import type { AnswerRequest } from "@atoll/agent";
import type { DataProfile, RunOutcome, StoredEvent, ThreadEvent } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { rejectOnAbort } from "@atoll/std";
import type { ThreadSettings } from "../store/contract.ts";
import { chooseAnswerer } from "./answerer.ts";
import { Approvals } from "./approvals/approvals.ts";
import { addDelay, asInterrupted, type Ending, storeLastEvents, toLastEvents } from "./ending.ts";
import { Grip } from "./grip.ts";
import type { WaitingMessage } from "./message.ts";
import type { OpenRun } from "./open-run.ts";
import type { RunnerContext } from "./options.ts";
import type { Preparation } from "./prepare.ts";
import type { Restores } from "./restore-notices.ts";
import type { Rules } from "./approvals/rules.ts";
import { RunLog } from "./run-events.ts";
import { RunSandbox } from "./run-request.ts";
import { describeSurroundings } from "./run-surroundings.ts";
import { RunVoice } from "./run-voice.ts";
import type { Seat } from "./seat.ts";
import { SteeringBox } from "./steering.ts";
import { RunTally, tallyLog } from "./run-outcome.ts";
import type { TurnHistory } from "./turn-history.ts";

export interface RunParts {
  readonly context: RunnerContext;
  readonly preparation: Preparation;
  readonly restores: Restores;
  readonly history: TurnHistory;
  readonly rules: Rules;
  readonly seat: Seat;
  /** The run's end cannot be stored for now; it is tried again. */
  onStuck(error: unknown): void;
}

/** One answer, from `run_started` to `done`. Whatever the agent does, there is one `done` and nothing after it. */
export class Run {
  readonly runId: string;
  readonly threadId: string;
  readonly message: WaitingMessage;
  readonly steering: SteeringBox;
  readonly approvals: Approvals;
  readonly #parts: RunParts;
  readonly #open: OpenRun | undefined;
  readonly #log: RunLog;
  readonly #voice: RunVoice;
  readonly #sandbox: RunSandbox;
  readonly #grip: Grip;
  readonly #stop = new AbortController();
  readonly #startedAtMs: number;
  readonly #tally: RunTally;
  #isShutdown = false;
  #model: string;
  #answering: Promise<unknown> = Promise.resolve();

  /** `open`: what an earlier server has left of it. */
  constructor(threadId: string, message: WaitingMessage, parts: RunParts, open?: OpenRun) {
    this.threadId = threadId;
    this.runId = open?.runId ?? `run_${randomUUID()}`;
    this.message = message;
    this.steering = new SteeringBox(open?.steered);
    this.#parts = parts;
    this.#open = open;
    this.#model = open?.model ?? "unknown";
    this.#startedAtMs = open?.startedAtMs ?? performance.now();
    this.#tally = open?.tally ?? new RunTally(this.#startedAtMs);
    const { store, limits } = parts.context;
    const isResumed = open !== undefined;
    this.#sandbox = new RunSandbox(parts.preparation, this, this.#stop.signal, { isResumed });
    this.#grip = new Grip({ ...parts, threadId, signal: this.#stop.signal });
    this.#log = new RunLog(store.log, this, (error) => this.#stop.abort(error));
    this.#voice = new RunVoice(parts.context, this, { log: this.#log, tally: this.#tally });
    this.approvals = new Approvals({
      write: (event) => this.#log.write(event),
      judge: (call) => parts.rules.judge(threadId, call),
      remember: (rule) => parts.rules.remember(threadId, rule),
      whileWaiting: (waiting) => this.#grip.loosen(waiting),
      timeoutMs: limits.approvalTimeoutMs,
    });
    for (const asked of open?.approvals ?? []) this.approvals.restore(asked);
  }

  get isUnderWay(): boolean {
    return this.#log.isOpen && !this.#stop.signal.aborted;
  }

  /** Nothing of it goes on until a user decides: its sandbox may rest. */
  get isAtRest(): boolean {
    return this.#grip.isLoose;
  }

  /** A user is asked, by the run itself or by a program of it. */
  get isWaiting(): boolean {
    return this.isUnderWay && this.approvals.open.length > 0;
  }

  answers(messageId: string): boolean {
    return [this.message, ...this.steering.taken].some((message) => message.messageId === messageId);
  }

  /** Resolves with the stored `done`; undefined when the thread is gone or the server closes first. Never rejects. */
  async perform(): Promise<StoredEvent | undefined> {
    try {
      return await this.#close(await this.#answer());
    } catch (error) {
      this.#report("a run could not be closed", error);
      return undefined;
    } finally {
      this.#grip.letSandboxGo();
    }
  }

  stop(options: { reason?: string | undefined; isShutdown?: boolean } = {}): void {
    if (!this.isUnderWay) return;
    this.#isShutdown = options.isShutdown ?? false;
    if (options.reason !== undefined && !this.#isShutdown)
      this.#voice.emit({ type: "status", text: options.reason });
    this.approvals.end("The run was stopped.");
    this.#stop.abort(new AtollError("aborted", options.reason ?? "The run was stopped."));
  }

  /** Ends without a word to the log, which is another server's. */
  cutOff(error: AtollError): void {
    this.#log.cutOff(error);
    this.approvals.end("The run was stopped.");
    this.#stop.abort(error);
  }

  /** Ends without a word to the log: the next server goes on from there. */
  suspend(): void {
    this.approvals.suspend();
    const error = new AtollError("aborted", "The server is shutting down.");
    this.#log.cutOff(error);
    this.#stop.abort(error);
  }

  /** Resolves when the agent has come to its end too, or has had time enough: whether it had the sandbox. */
  async settled(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), this.#parts.context.limits.abandonedMs);
    timer.unref();
    const hadSandbox = await Promise.race([this.#answering.then(() => this.#sandbox.settled()), promise]);
    clearTimeout(timer);
    return hadSandbox;
  }

  /** Something happened to the thread's sandbox. False when the run takes no more events. */
  note(event: ThreadEvent): boolean {
    if (!this.#log.isOpen) return false;
    void this.#log.write(event);
    return true;
  }

  /** After the end: messages that were to steer and did not. What the log does not know to be taken was not. */
  leftOver(): readonly WaitingMessage[] {
    const { runId, steering } = this;
    if (!this.#log.failure) return steering.offered;
    return steering.leftOver(
      this.#parts.context.store.log.read(this.threadId, { runId, types: ["steered"] }),
    );
  }

  async #answer(): Promise<Ending> {
    const { context, preparation, history } = this.#parts;
    try {
      // Until it is decided what an earlier server has asked, nothing of the run is at work.
      if (this.#open) {
        const decided = this.approvals.untilRestoredAreDecided();
        await this.#grip.loosen(rejectOnAbort(decided, this.#stop.signal));
      }
      const turns = history.read(this.threadId);
      const model = this.#begin(context.store.threads.get(this.threadId)?.settings ?? {});
      const data = (await preparation.findData(this.threadId)) ?? (await this.#prepareData());
      this.#grip.holdSandbox();
      this.#stop.signal.throwIfAborted();
      const delayMs = performance.now() - this.#startedAtMs;
      const { ttftMs } = this.#tally;
      const answering = context.answer(this.#makeRequest(turns, model, data), this.threadId);
      this.#answering = answering.catch(() => {});
      // The end of an agent that goes on after a stop is not waited for.
      const givingUp = rejectAfterAbort(this.#stop.signal, context.limits.stopGraceMs, () => this.#answering);
      const outcome = await Promise.race([answering, givingUp]);
      return { outcome: addDelay(outcome, delayMs, ttftMs) };
    } catch (error) {
      if (this.#stop.signal.aborted) return { outcome: this.#tallyUp("stopped") };
      this.#report("a run failed", error);
      return { outcome: this.#tallyUp("failed"), failure: { error } };
    }
  }

  /** The log says that the run has started also when there is no model to run. */
  #begin(settings: ThreadSettings): AnswerRequest["model"] {
    this.#model = settings.model ?? this.#model;
    try {
      const { model, name } = chooseAnswerer(this.message, settings, this.#parts.context);
      this.#model = name;
      return model;
    } finally {
      if (!this.#open) this.#tellOfStart();
    }
  }

  #tellOfStart(): void {
    const ids = { run_id: this.runId, message_id: this.message.messageId };
    void this.#log.write({ type: "run_started", ...ids, model: this.#model });
    // When the model has been asked: the search can wait, the answer cannot.
    setImmediate(() => this.#voice.index(this.message.text));
  }

  async #prepareData(): Promise<DataProfile> {
    this.#voice.emit({ type: "status", code: "reading_files", text: "Reading the files" });
    const opened = this.#parts.preparation.open(this.threadId);
    return (await rejectOnAbort(opened, this.#stop.signal)).data;
  }

  #makeRequest(
    history: AnswerRequest["history"],
    model: AnswerRequest["model"],
    data: DataProfile,
  ): AnswerRequest {
    const { context, restores } = this.#parts;
    return {
      ...describeSurroundings(context, restores, this.threadId),
      message: this.message.text,
      history,
      model,
      data,
      signal: this.#stop.signal,
      ...(this.#open ? { resume: this.#open.resumption } : {}),
      wake: () => {
        const awake = this.#sandbox.wake();
        // The agent may be at its model call when this fails; it hears of it when it asks.
        awake.catch(() => {});
        return awake;
      },
      emit: (event) => this.#voice.emit(event),
      approve: (call, options) => this.approvals.seek(call, options?.signal),
      takeSteering: () => this.#takeSteering(),
    };
  }

  #takeSteering(): ReturnType<AnswerRequest["takeSteering"]> {
    if (!this.isUnderWay) return [];
    const taken = this.steering.take();
    for (const { messageId, text } of taken) {
      void this.#log.write({ type: "steered", message_id: messageId });
      this.#voice.index(text);
    }
    return taken;
  }

  async #close(given: Ending): Promise<StoredEvent | undefined> {
    this.approvals.end("The run has ended.");
    await this.#voice.settled();
    const makeEvents = () => toLastEvents(this.#decideEnding(given), this.#doneIds());
    const stored = await storeLastEvents(this.#log, makeEvents, {
      closing: this.#parts.context.closing,
      onFailure: (error) => {
        this.#report("the end of a run could not be stored", error);
        this.#parts.onStuck(error);
      },
    });
    if (stored?.type === "done") this.#voice.index(stored.response);
    return stored;
  }

  /** Where the log broke, what was said is what is stored, also when the agent meant to say more. */
  #decideEnding(given: Ending): Ending {
    const broken = this.#log.failure;
    if (!broken) return this.#isShutdown ? asInterrupted(given) : given;
    const events = this.#parts.context.store.log.read(this.threadId, { runId: this.runId });
    return { outcome: tallyLog(events).outcome(this.#facts("failed")), failure: broken };
  }

  #doneIds() {
    return { thread_id: this.threadId, run_id: this.runId, message_id: this.message.messageId };
  }

  #tallyUp(status: RunOutcome["status"]): RunOutcome {
    return this.#tally.outcome(this.#facts(status), performance.now());
  }

  #facts(status: RunOutcome["status"]) {
    return { status, model: this.#model, container_state: this.#sandbox.state };
  }

  #report(message: string, error: unknown): void {
    this.#parts.context.reportFault({ message, threadId: this.threadId, runId: this.runId, error });
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
