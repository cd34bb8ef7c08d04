import { randomUUID } from "node:crypto";
import { AtollError } from "@atoll/sandbox";
import type { NewMessage, Submitted } from "./contract.ts";
import { insertInOrder, type WaitingMessage } from "./message.ts";
import { Run, type RunParts } from "./run.ts";
import type { Slots } from "./slots.ts";
import { Waiters } from "./waiters.ts";

export interface LaneParts extends Omit<RunParts, "onStuck"> {
  readonly slots: Slots;
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
  #submitting = 0;
  /** A slot is asked for or taken. */
  #isAtWork = false;
  #isRemoved = false;

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
    const mode = message.mode ?? "queue";
    const messageId = `msg_${randomUUID()}`;
    const event = { type: "message", message_id: messageId, role: "user", text: message.text, mode } as const;
    const { log } = this.#parts.context.store;
    this.#submitting += 1;
    const stored = await log
      .append(this.threadId, [{ event }], { isDurable: true })
      .finally(() => (this.#submitting -= 1));
    this.#checkOpen();
    const eventId = stored[0]?.id ?? 0;
    return { messageId, eventId, position: this.#accept({ messageId, eventId, text: message.text }, mode) };
  }

  /** Messages of an earlier server that wait for their answer. */
  restore(messages: readonly WaitingMessage[]): void {
    insertInOrder(this.#queue, messages);
    this.#next();
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

  async waitForDone(messageId: string, signal: AbortSignal): ReturnType<Waiters["wait"]> {
    this.#checkOpen();
    const isOpen = this.queued.includes(messageId) || (this.#run?.answers(messageId) ?? false);
    return this.#waiters.wait(messageId, signal, { isOpen });
  }

  /** Takes no more messages, drops those that wait, and ends the run. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    this.#queue.length = 0;
    const run = this.#run;
    await this.stop({ reason: "The thread is being deleted." });
    await run?.settled();
    this.#waiters.rejectAll(threadGone());
  }

  async close(): Promise<void> {
    await this.stop({ reason: "The server is shutting down.", isShutdown: true });
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
    if (this.#isAtWork || this.#isRemoved || this.#parts.context.closing.aborted) return;
    if (this.#queue.length === 0) return this.#settleIfIdle();
    this.#isAtWork = true;
    this.#parts.slots.take((release) => void this.#work(release));
  }

  /** Never rejects: a run and its parts report what goes wrong. */
  async #work(release: () => void): Promise<void> {
    const isOver = this.#isRemoved || this.#parts.context.closing.aborted;
    const message = isOver ? undefined : this.#queue.shift();
    if (message !== undefined) await this.#perform(message);
    release();
    this.#isAtWork = false;
    this.#next();
  }

  async #perform(message: WaitingMessage): Promise<void> {
    const stuck = Promise.withResolvers<void>();
    const run = new Run(this.threadId, message, {
      ...this.#parts,
      onStuck: (error) => {
        stuck.resolve();
        this.#waiters.reject(idsOf(run), error);
      },
    });
    this.#run = run;
    const performed = run.perform();
    this.#ended = Promise.race([performed, stuck.promise]);
    const done = await performed;
    if (!this.#isRemoved) insertInOrder(this.#queue, run.leftOver());
    this.#run = undefined;
    if (done?.type === "done") this.#waiters.resolve(idsOf(run), done);
    await run.settled();
  }

  #settleIfIdle(): void {
    if (this.#isAtWork || this.#queue.length > 0 || this.#submitting > 0 || this.#isRemoved) return;
    if (this.#parts.context.closing.aborted) return;
    this.#parts.onIdle(this);
  }

  #checkOpen(): void {
    if (this.#isRemoved) throw threadGone();
  }
}

function idsOf(run: Run): string[] {
  return [run.message, ...run.steering.taken].map((message) => message.messageId);
}

function threadGone(): AtollError {
  return new AtollError("not_found", "The thread has been deleted.");
}
