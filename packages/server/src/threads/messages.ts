import type { Steering } from "@atoll/agent";
import type { StoredEvent } from "@atoll/protocol";

export type MessageEvent = StoredEvent & { type: "message" };

/** A user's message that is in the log and not answered yet. */
export interface WaitingMessage {
  readonly messageId: string;
  readonly eventId: number;
  readonly text: string;
  /** The text is code, to be run as it is. */
  readonly language?: CodeLanguage;
}

export type CodeLanguage = "python" | "shell";

export function toWaiting(event: MessageEvent): WaitingMessage {
  const { message_id: messageId, id: eventId, text, kind, language = "python" } = event;
  return { messageId, eventId, text, ...(kind === "code" ? { language } : {}) };
}

/** Keeps the order in which the messages were sent. */
export function insertInOrder(queue: WaitingMessage[], messages: readonly WaitingMessage[]): void {
  queue.push(...messages);
  queue.sort((one, other) => one.eventId - other.eventId);
}

/** Messages for a run under way: offered, then taken by the agent, or left over when the run ends first. */
export class SteeringBox {
  readonly #offered: WaitingMessage[] = [];
  readonly #taken: WaitingMessage[];

  constructor(taken: readonly WaitingMessage[] = []) {
    this.#taken = [...taken];
  }

  get offered(): readonly WaitingMessage[] {
    return this.#offered;
  }

  get taken(): readonly WaitingMessage[] {
    return this.#taken;
  }

  offer(message: WaitingMessage): void {
    this.#offered.push(message);
  }

  take(): readonly Steering[] {
    const taken = this.#offered.splice(0);
    this.#taken.push(...taken);
    return taken.map(({ messageId, text }) => ({ messageId, text }));
  }

  /** Messages without a `steered` event in the log. */
  leftOver(steered: readonly StoredEvent[]): readonly WaitingMessage[] {
    const stored = new Set(steered.map((event) => event.type === "steered" && event.message_id));
    return [...this.#offered, ...this.#taken.filter(({ messageId }) => !stored.has(messageId))];
  }

  withdraw(messageId: string): WaitingMessage | undefined {
    const index = this.#offered.findIndex((message) => message.messageId === messageId);
    return index === -1 ? undefined : this.#offered.splice(index, 1)[0];
  }
}
