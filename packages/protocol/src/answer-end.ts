/** An event of a thread's log by its type. The event itself may be parsed only when it is asked for. */
export interface TypedEvent {
  readonly type: string;
  readonly event: { readonly type: string; readonly message_id?: string; readonly run_id?: string };
}

const DECIDING_TYPES: readonly string[] = ["message", "steered", "message_removed", "done"];

/**
 * Says which event ends the answer to a message: the `done` of its run or of the run that it steered, or its removal.
 * Without an id, the message is the first one of the stream.
 *
 * @example
 *     const isAnswerEnd = watchAnswer(messageId);
 *     for (const event of events) if (isAnswerEnd({ type: event.type, event })) return event;
 */
export function watchAnswer(messageId?: string): (typed: TypedEvent) => boolean {
  let awaited = messageId;
  let steeredRunId: string | undefined;
  return function isAnswerEnd(typed) {
    if (!DECIDING_TYPES.includes(typed.type)) return false;
    const { event } = typed;
    switch (event.type) {
      case "message":
        awaited ??= event.message_id;
        return false;
      case "steered":
        if (event.message_id === awaited) steeredRunId = event.run_id;
        return false;
      case "message_removed":
        return event.message_id === awaited;
      case "done":
        return event.message_id === awaited || (steeredRunId !== undefined && event.run_id === steeredRunId);
      default:
        return false;
    }
  };
}
