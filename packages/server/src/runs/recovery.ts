import type { StoredEvent, ThreadEvent } from "../schemas/events.ts";
import type { ThreadLog } from "../store/contract.ts";
import { interruptedHint } from "./failure.ts";
import type { WaitingMessage } from "./message.ts";
import { tallyLog } from "./tally.ts";

/** Closes the runs of a thread that its server did not live to close. Gives the messages that nobody has answered. */
export async function recoverThread(log: ThreadLog, threadId: string): Promise<readonly WaitingMessage[]> {
  const events = log.read(threadId, { types: openingTypes });
  const open = findOpenRuns(events);
  // A power cut may have taken back ids that a reader has seen: they must not come again for something else.
  await log.skipIds(threadId, idGap);
  for (const run of open) {
    const runId = run.run_id ?? "";
    const last = closeRun(run, log.read(threadId, { runId }), findOpenApprovals(events, runId));
    await log.append(
      threadId,
      last.map((event) => ({ event, runId })),
      { isDurable: true },
    );
  }
  return findWaiting(events);
}

const idGap = 1000;

const openingTypes: ThreadEvent["type"][] = [
  "message",
  "message_removed",
  "run_started",
  "steered",
  "done",
  "approval",
  "approval_decided",
];

type RunStarted = StoredEvent & { type: "run_started" };
type ApprovalAsked = StoredEvent & { type: "approval" };

function findOpenRuns(events: readonly StoredEvent[]): RunStarted[] {
  const ended = new Set(events.filter((event) => event.type === "done").map((event) => event.run_id));
  return events.filter((event) => event.type === "run_started").filter((event) => !ended.has(event.run_id));
}

function findOpenApprovals(events: readonly StoredEvent[], runId: string): ApprovalAsked[] {
  const decided = events
    .filter((event) => event.type === "approval_decided")
    .map((event) => event.approval_id);
  const asked = events.filter((event) => event.type === "approval").filter((event) => event.run_id === runId);
  return asked.filter((event) => !decided.includes(event.approval_id));
}

function findWaiting(events: readonly StoredEvent[]): WaitingMessage[] {
  const begun = new Set<string>();
  for (const event of events)
    if (event.type !== "message" && "message_id" in event) begun.add(event.message_id);
  return events
    .filter((event) => event.type === "message")
    .filter((event) => !begun.has(event.message_id))
    .map((event) => ({ messageId: event.message_id, eventId: event.id, text: event.text }));
}

function closeRun(
  run: RunStarted,
  events: readonly StoredEvent[],
  approvals: readonly ApprovalAsked[],
): ThreadEvent[] {
  const outcome = tallyLog(events).outcome({
    status: "interrupted",
    model: run.model,
    container_state: "unknown",
  });
  const ids = { thread_id: run.thread_id, run_id: run.run_id ?? "", message_id: run.message_id };
  return [
    ...approvals.map(refuse),
    {
      type: "error",
      code: "interrupted",
      message: "The server ended while it answered. What it had said until then is kept.",
      hint: interruptedHint,
    },
    { ...outcome, type: "done", ...ids },
  ];
}

function refuse({ approval_id, call_id }: ApprovalAsked): ThreadEvent {
  return { type: "approval_decided", approval_id, call_id, decision: "deny", reason: "The server ended." };
}
