import type { StoredEvent } from "@atoll/protocol";

export type MessageEvent = StoredEvent & { type: "message" };

/** A user's message that is in the log and not yet answered. */
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

/** In the order in which they were sent, however they came to wait. */
export function insertInOrder(queue: WaitingMessage[], messages: readonly WaitingMessage[]): void {
  queue.push(...messages);
  queue.sort((one, other) => one.eventId - other.eventId);
}
