import { randomUUID } from "node:crypto";
import { AtollError } from "@atoll/sandbox";
import type { NewMessage, Submitted } from "./contract.ts";
import { insertInOrder, type WaitingMessage } from "./message.ts";
import type { OpenRun } from "./open-run.ts";
import { Run, type RunParts } from "./run.ts";
import { Seat } from "./seat.ts";
import type { Slots } from "./run-slot.ts";
import type { TurnCheckpoints } from "./checkpoints.ts";
import { Waiters } from "./waiters.ts";

export interface LaneParts extends Omit<RunParts, "onStuck" | "seat"> {
  readonly slots: Slots;
  readonly checkpoints: TurnCheckpoints;
  /** Nothing waits and nothing runs in this thread. */
  onIdle(lane: Lane): void;
}

/** One thread's messages: one run at a time, the others wait their turn. */
export class Lane {
  readonly threadId: string;
  readonly #parts: LaneParts;
  readonly #queue: WaitingMessage[] = [];
  readonly #waiters: Waiters;
  #run: Run | undefined;
  /** The run has its `done`, or cannot have it for now. */
  #ended: Promise<unknown> = Promise.resolve();
  /** The same, with all that comes after its `done`. */
  #performed: Promise<void> = Promise.resolve();
  #submitting = 0;
  /** A slot is asked for or taken. */
  #isAtWork = false;
  /** The thread was removed, or is another server's. */
  #gone: AtollError | undefined;

  constructor(threadId: string, parts: LaneParts) {
    this.threadId = threadId;
    this.#parts = parts;
    this.#waiters = new Waiters(parts.context.store.log, threadId);
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
    if (this.queued.length + this.#submitting >= this.#parts.context.limits.maxQueued) {
      throw new AtollError("busy", "Too many messages wait in this thread. Wait until some are answered.");
    }
    const { text, language } = message;
    const mode = language ? "queue" : (message.mode ?? "queue");
    const messageId = `msg_${randomUUID()}`;
    const code = language ? ({ kind: "code", language } as const) : {};
    const event = { type: "message", message_id: messageId, role: "user", text, mode, ...code } as const;
    const { log } = this.#parts.context.store;
    this.#submitting += 1;
    const stored = await log
      .append(this.threadId, [{ event }], { isDurable: true })
      .finally(() => (this.#submitting -= 1));
    const eventId = stored[0]?.id ?? 0;
    // Stored is stored: whoever has the thread now answers it.
    if (this.#gone?.code === "not_owner") return { messageId, eventId, position: 0 };
    this.#checkOpen();
    const waiting = { messageId, eventId, text, language };
    return { messageId, eventId, position: this.#accept(waiting, mode) };
  }

  /** Messages of an earlier server that wait for their answer. */
  restore(messages: readonly WaitingMessage[]): void {
    insertInOrder(this.#queue, messages);
    this.#next();
  }

  /** Goes on with a run of an earlier server. `steering`: messages that it may take before its end. */
  resume(open: OpenRun, steering: readonly WaitingMessage[]): void {
    if (this.#isAtWork || this.#gone || this.#parts.context.closing.aborted) return;
    this.#isAtWork = true;
    void this.#work(new Seat(this.#parts.slots), (seat) => {
      const performed = this.#perform(open.message, seat, open);
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
      await this.#parts.context.store.log.append(this.threadId, [{ event }], { isDurable: true });
    } catch (error) {
      this.restore([message]);
      throw error;
    }
    this.#waiters.reject([messageId], new AtollError("aborted", "The message was taken back."));
    this.#settleIfIdle();
    return true;
  }

  /** Resolves when the run has its `done`, or when that cannot be stored for now. False when nothing ran. */
  async stop(options: { reason?: string; isShutdown?: boolean } = {}): Promise<boolean> {
    if (this.#run === undefined) return false;
    this.#run.stop(options);
    await this.#ended;
    return true;
  }

  /** Resolves when the checkpoints of all turns that have ended are begun. */
  async untilRecorded(): Promise<void> {
    if (this.#run === undefined) await this.#performed;
  }

  async waitForDone(messageId: string, signal: AbortSignal): ReturnType<Waiters["wait"]> {
    this.#checkOpen();
    const isOpen = this.queued.includes(messageId) || (this.#run?.answers(messageId) ?? false);
    return this.#waiters.wait(messageId, signal, { isOpen });
  }

  /** Takes no more messages, drops those that wait, and ends the run. */
  async remove(): Promise<void> {
    this.#gone = threadGone();
    this.#queue.length = 0;
    const run = this.#run;
    await this.stop({ reason: "The thread is being deleted." });
    await run?.settled();
    this.#waiters.rejectAll(threadGone());
  }

  /** Another server has the thread: drops everything without a word to the log. */
  async letGo(): Promise<void> {
    const error = new AtollError("not_owner", "Another server has taken this thread over.");
    this.#gone = error;
    this.#queue.length = 0;
    this.#run?.cutOff(error);
    const kept = "Another server has taken this thread over. The message is kept and is answered there.";
    this.#waiters.rejectAll(new AtollError("aborted", kept));
    await this.#performed;
  }

  /** A run that waits for a user goes on to do so on the next server. */
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
    if (this.#isAtWork || this.#gone || this.#parts.context.closing.aborted) return;
    if (this.#queue.length === 0) return this.#settleIfIdle();
    this.#isAtWork = true;
    this.#parts.slots.take(
      (release) =>
        void this.#work(new Seat(this.#parts.slots, release), async (seat) => {
          const isOver = this.#gone !== undefined || this.#parts.context.closing.aborted;
          const message = isOver ? undefined : this.#queue.shift();
          if (message !== undefined) await this.#perform(message, seat);
        }),
    );
  }

  /** Never rejects: a run and its parts report what goes wrong. */
  async #work(seat: Seat, perform: (seat: Seat) => Promise<void>): Promise<void> {
    this.#performed = perform(seat);
    await this.#performed;
    seat.end();
    this.#isAtWork = false;
    this.#next();
  }

  async #perform(message: WaitingMessage, seat: Seat, open?: OpenRun): Promise<void> {
    const stuck = Promise.withResolvers<void>();
    const parts: RunParts = {
      ...this.#parts,
      seat,
      onStuck: (error) => {
        stuck.resolve();
        this.#waiters.reject(idsOf(run), error);
      },
    };
    const run = new Run(this.threadId, message, parts, open);
    this.#run = run;
    const performed = run.perform();
    this.#ended = Promise.race([performed, stuck.promise]);
    const done = await performed;
    if (!this.#gone) insertInOrder(this.#queue, run.leftOver());
    this.#run = undefined;
    if (done?.type === "done") this.#waiters.resolve(idsOf(run), done);
    const hadSandbox = await run.settled();
    if (hadSandbox && !this.#gone) this.#parts.checkpoints.take(this.threadId, run.runId);
  }

  #settleIfIdle(): void {
    if (this.#isAtWork || this.#queue.length > 0 || this.#submitting > 0 || this.#gone) return;
    if (this.#parts.context.closing.aborted) return;
    this.#parts.onIdle(this);
  }

  #checkOpen(): void {
    if (this.#gone) throw this.#gone;
  }
}

function idsOf(run: Run): string[] {
  return [run.message, ...run.steering.taken].map((message) => message.messageId);
}

function threadGone(): AtollError {
  return new AtollError("not_found", "The thread has been deleted.");
}
