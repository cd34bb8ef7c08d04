import type { StoredEvent } from "@atoll/protocol";

/** A message is answered by the `done` of its own run, or of the run that it steered, or it is taken back. */
export function endOfAnswer(
  messageId: string,
): (line: { readonly type: string; readonly event: StoredEvent }) => boolean {
  let runId: string | undefined;
  return (line) => {
    if (!["run_started", "steered", "message_removed", "done"].includes(line.type)) return false;
    const { event } = line;
    if (event.type === "steered" && event.message_id === messageId) runId = event.run_id;
    if (event.type === "message_removed") return event.message_id === messageId;
    return event.type === "done" && (event.message_id === messageId || event.run_id === runId);
  };
}
