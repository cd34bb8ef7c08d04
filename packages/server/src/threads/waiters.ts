import { AtollError } from "@atoll/sandbox";
import { type StoredEvent, watchAnswer } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";

export type StoredDone = StoredEvent & { type: "done" };

/** Callers that wait for the end of the run that answers a message. */
export class Waiters {
  readonly #log: ThreadLog;
  readonly #threadId: string;
  readonly #waiting = new Map<string, Set<PromiseWithResolvers<StoredDone>>>();

  constructor(log: ThreadLog, threadId: string) {
    this.#log = log;
    this.#threadId = threadId;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** `isOpen`: the message waits or is being answered. Otherwise the log says how it ended. */
  async wait(messageId: string, signal: AbortSignal, { isOpen }: { isOpen: boolean }): Promise<StoredDone> {
    const done = isOpen ? undefined : this.#findDone(messageId);
    if (done) return done;
    const waiter = Promise.withResolvers<StoredDone>();
    const leave = () =>
      waiter.reject(new AtollError("aborted", "The caller gave up.", { cause: signal.reason }));
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    const waiters = this.#waiting.get(messageId) ?? new Set();
    this.#waiting.set(messageId, waiters.add(waiter));
    try {
      return await waiter.promise;
    } finally {
      signal.removeEventListener("abort", leave);
      waiters.delete(waiter);
      if (waiters.size === 0 && this.#waiting.get(messageId) === waiters) this.#waiting.delete(messageId);
    }
  }

  resolve(messageIds: readonly string[], done: StoredDone): void {
    for (const waiter of this.#take(messageIds)) waiter.resolve(done);
  }

  reject(messageIds: readonly string[], error: unknown): void {
    for (const waiter of this.#take(messageIds)) waiter.reject(error);
  }

  rejectAll(error: unknown): void {
    this.reject([...this.#waiting.keys()], error);
  }

  #take(messageIds: readonly string[]): PromiseWithResolvers<StoredDone>[] {
    return messageIds.flatMap((messageId) => {
      const waiters = this.#waiting.get(messageId) ?? [];
      this.#waiting.delete(messageId);
      return [...waiters];
    });
  }

  #findDone(messageId: string): StoredDone | undefined {
    const events = this.#log.read(this.#threadId, {
      types: ["message", "message_removed", "steered", "done"],
    });
    const isAnswerEnd = watchAnswer(messageId);
    const end = events.find((event) => isAnswerEnd({ type: event.type, event }));
    if (end?.type === "done") return end;
    if (end) throw new AtollError("aborted", "The message was taken back.");
    const isKnown = events.some((event) => "message_id" in event && event.message_id === messageId);
    if (!isKnown) throw new AtollError("not_found", "There is no such message in this thread.");
    return undefined;
  }
}
