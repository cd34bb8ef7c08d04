/** A user's message that is in the log and not yet answered. */
export interface WaitingMessage {
  readonly messageId: string;
  readonly eventId: number;
  readonly text: string;
}

/** In the order in which they were sent, however they came to wait. */
export function insertInOrder(queue: WaitingMessage[], messages: readonly WaitingMessage[]): void {
  queue.push(...messages);
  queue.sort((one, other) => one.eventId - other.eventId);
}
