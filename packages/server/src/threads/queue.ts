import { randomUUID } from "node:crypto";
import { AtollError } from "@atoll/sandbox";
import type { Semaphore } from "@atoll/std";
import { takeCheckpoint } from "./checkpoints.ts";
import type { NewMessage, Submitted } from "./contract.ts";
import { insertInOrder, type WaitingMessage } from "./messages.ts";
import type { OpenRun } from "./resume.ts";
import { Run } from "./run.ts";
import { RunSlot } from "./run-slot.ts";
import type { Thread } from "./thread.ts";
import { Waiters } from "./waiters.ts";

/** The messages of a thread: one run at a time, the others wait. */
export class MessageQueue {
  readonly #thread: Thread;
  readonly #runSlots: Semaphore;
  readonly #onIdle: () => void;
  readonly #queue: WaitingMessage[] = [];
  readonly #waiters: Waiters;
  #run: Run | undefined;
  /** Resolves when `done` is stored, or cannot be stored for now. */
  #ended: Promise<unknown> = Promise.resolve();
  /** Resolves when the run has ended and its checkpoint has begun. */
  #performed: Promise<void> = Promise.resolve();
  #submitting = 0;
  /** A slot is awaited or held. */
  #isAtWork = false;
  /** Why nothing is accepted: the thread was removed, or another server owns it. */
  #gone: AtollError | undefined;

  /** `runSlots`: bounds the runs of all threads. `onIdle`: nothing waits and nothing runs in this thread. */
  constructor(thread: Thread, runSlots: Semaphore, onIdle: () => void) {
    this.#thread = thread;
    this.#runSlots = runSlots;
    this.#onIdle = onIdle;
    this.#waiters = new Waiters(thread.context.store.log, thread.id);
  }

  get run(): Run | undefined {
    return this.#run;
  }

  get queued(): readonly string[] {
    return [...(this.#run?.steering.offered ?? []), ...this.#queue].map((message) => message.messageId);
  }

  get isIdle(): boolean {
    return !this.#isAtWork && this.#queue.length === 0 && this.#submitting === 0 && this.#waiters.isEmpty;
  }

  async submit(message: NewMessage): Promise<Submitted> {
    this.#checkOpen();
    const { limits, store } = this.#thread.context;
    if (this.queued.length + this.#submitting >= limits.maxQueued) {
      throw new AtollError("busy", "Too many messages wait in this thread. Wait until some are answered.");
    }
    const { text, language } = message;
    const mode = language ? "queue" : (message.mode ?? "queue");
    const messageId = `msg_${randomUUID()}`;
    const code = language ? ({ kind: "code", language } as const) : {};
    const event = { type: "message", message_id: messageId, role: "user", text, mode, ...code } as const;
    this.#submitting += 1;
    const stored = await store.log
      .append(this.#thread.id, [{ event }], { isDurable: true })
      .finally(() => (this.#submitting -= 1));
    const eventId = stored[0]?.id ?? 0;
    // The message is stored, so the new owner answers it.
    if (this.#gone?.code === "not_owner") return { messageId, eventId, position: 0 };
    this.#checkOpen();
    const waiting = { messageId, eventId, text, language };
    return { messageId, eventId, position: this.#accept(waiting, mode) };
  }

  /** Queues messages that an earlier server did not answer. */
  restore(messages: readonly WaitingMessage[]): void {
    insertInOrder(this.#queue, messages);
    this.#next();
  }

  /** Continues a run of an earlier server. `steering`: messages that it may take before its end. */
  resume(open: OpenRun, steering: readonly WaitingMessage[]): void {
    if (this.#isAtWork || this.#isClosed) return;
    this.#isAtWork = true;
    void this.#work(this.#makeSlot(), (slot) => {
      const performed = this.#perform(open.message, slot, open);
      for (const message of steering) this.#run?.steering.offer(message);
      return performed;
    });
  }

  async withdraw(messageId: string): Promise<boolean> {
    const index = this.#queue.findIndex((message) => message.messageId === messageId);
    const message = index === -1 ? this.#run?.steering.withdraw(messageId) : this.#queue.splice(index, 1)[0];
    if (message === undefined) return false;
    const event = { type: "message_removed", message_id: messageId } as const;
    try {
      await this.#thread.context.store.log.append(this.#thread.id, [{ event }], { isDurable: true });
    } catch (error) {
      this.restore([message]);
      throw error;
    }
    this.#waiters.reject([messageId], new AtollError("aborted", "The message was taken back."));
    this.#settleIfIdle();
    return true;
  }

  /** Resolves when `done` is stored, or cannot be stored for now. False when nothing ran. */
  async stop(options: { reason?: string; isShutdown?: boolean } = {}): Promise<boolean> {
    if (this.#run === undefined) return false;
    this.#run.stop(options);
    await this.#ended;
    return true;
  }

  /** Resolves when the checkpoint of every finished turn has begun. */
  async untilRecorded(): Promise<void> {
    if (this.#run === undefined) await this.#performed;
  }

  async waitForDone(messageId: string, signal: AbortSignal): ReturnType<Waiters["wait"]> {
    this.#checkOpen();
    const isOpen = this.queued.includes(messageId) || (this.#run?.answers(messageId) ?? false);
    return this.#waiters.wait(messageId, signal, { isOpen });
  }

  /** Refuses new messages, drops the waiting ones, and ends the run. */
  async remove(): Promise<void> {
    this.#gone = threadDeleted();
    this.#queue.length = 0;
    const run = this.#run;
    await this.stop({ reason: "The thread is being deleted." });
    await run?.settled();
    this.#waiters.rejectAll(threadDeleted());
  }

  /** Another server owns the thread: drops everything and writes nothing more. */
  async release(): Promise<void> {
    const error = new AtollError("not_owner", "Another server has taken over this thread.");
    this.#gone = error;
    this.#queue.length = 0;
    this.#run?.cutOff(error);
    const kept = "Another server has taken over this thread. It keeps the message and answers it.";
    this.#waiters.rejectAll(new AtollError("aborted", kept));
    await this.#performed;
  }

  /** A run that waits for a user keeps waiting, on the next server. */
  async close(): Promise<void> {
    if (this.#run?.isWaiting) {
      this.#run.suspend();
      await this.#ended;
    } else {
      await this.stop({ reason: "The server is shutting down.", isShutdown: true });
    }
    const kept = "The server is shutting down. The message is kept and is answered when it runs again.";
    this.#waiters.rejectAll(new AtollError("aborted", kept, { isRetryable: true }));
  }

  get #isClosed(): boolean {
    return this.#gone !== undefined || this.#thread.context.closing.aborted;
  }

  #accept(message: WaitingMessage, mode: "queue" | "steer"): number {
    if (mode === "steer" && this.#run?.isUnderWay) {
      this.#run.steering.offer(message);
      return 0;
    }
    insertInOrder(this.#queue, [message]);
    const position = this.#queue.indexOf(message) + (this.#run ? 1 : 0);
    this.#next();
    return position;
  }

  #next(): void {
    if (this.#isAtWork || this.#isClosed) return;
    if (this.#queue.length === 0) return this.#settleIfIdle();
    this.#isAtWork = true;
    void this.#runSlots.acquire().then((release) =>
      this.#work(this.#makeSlot(release), async (slot) => {
        const message = this.#isClosed ? undefined : this.#queue.shift();
        if (message !== undefined) await this.#perform(message, slot);
      }),
    );
  }

  #makeSlot(release?: () => void): RunSlot {
    return new RunSlot(this.#runSlots, () => this.#thread.preparation.hold(), release);
  }

  /** Never rejects: a run reports its own failures. */
  async #work(slot: RunSlot, perform: (slot: RunSlot) => Promise<void>): Promise<void> {
    this.#performed = perform(slot);
    await this.#performed;
    slot.end();
    this.#isAtWork = false;
    this.#next();
  }

  async #perform(message: WaitingMessage, slot: RunSlot, open?: OpenRun): Promise<void> {
    const stuck = Promise.withResolvers<void>();
    const onStuck = (error: unknown) => {
      stuck.resolve();
      this.#waiters.reject(idsOf(run), error);
    };
    const run = new Run(this.#thread, message, { slot, open, onStuck });
    this.#run = run;
    const performed = run.perform();
    this.#ended = Promise.race([performed, stuck.promise]);
    const done = await performed;
    if (!this.#gone) insertInOrder(this.#queue, run.leftOver());
    this.#run = undefined;
    if (done?.type === "done") this.#waiters.resolve(idsOf(run), done);
    const hadSandbox = await run.settled();
    if (hadSandbox && !this.#gone) takeCheckpoint(this.#thread.context, this.#thread.id, run.runId);
  }

  #settleIfIdle(): void {
    if (this.#isAtWork || this.#queue.length > 0 || this.#submitting > 0 || this.#isClosed) return;
    this.#onIdle();
  }

  #checkOpen(): void {
    if (this.#gone) throw this.#gone;
  }
}

function idsOf(run: Run): string[] {
  return [run.message, ...run.steering.taken].map((message) => message.messageId);
}

function threadDeleted(): AtollError {
  return new AtollError("not_found", "The thread has been deleted.");
}
