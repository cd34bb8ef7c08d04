import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";
import { interruptedHint } from "./failure.ts";
import { bridgeInterruption, refuseForRestart } from "./interruption.ts";
import { toWaiting, type WaitingMessage } from "./message.ts";
import { findOpenApprovals, type OpenRun, readOpenRun, type RunStarted } from "./open-run.ts";
import { tallyLog } from "./run-outcome.ts";

/** What is to be done in a thread that an earlier server has left. */
export interface Recovered {
  /** Waited for a user when its server ended, and goes on. */
  readonly open?: OpenRun;
  /** Messages that the open run may take before its end. */
  readonly steering: readonly WaitingMessage[];
  /** Messages that nobody has answered. */
  readonly waiting: readonly WaitingMessage[];
}

/** Closes the runs of a thread that its server did not live to close, but for one that waits for a user. */
export async function recoverThread(log: ThreadLog, threadId: string): Promise<Recovered> {
  const events = log.read(threadId, { types: openingTypes });
  const started = findOpenRuns(events);
  // A power cut may have taken back ids that a reader has seen: they must not come again for something else.
  await log.skipIds(threadId, idGap);
  const append = (runId: string, last: readonly ThreadEvent[]) =>
    log.append(
      threadId,
      last.map((event) => ({ event, runId })),
      { isDurable: true },
    );
  let open: OpenRun | undefined;
  for (const [index, run] of started.entries()) {
    const runEvents = log.read(threadId, { runId: run.run_id });
    const bridge = index === started.length - 1 ? bridgeInterruption(runEvents) : undefined;
    if (!bridge) {
      await append(run.run_id, closeRun(run, runEvents));
      continue;
    }
    const bridging = bridge.length === 0 ? [] : await append(run.run_id, bridge);
    const messages = events.filter((event) => event.type === "message");
    const hasLeftovers = bridging.length > 0;
    open = readOpenRun(run, [...runEvents, ...bridging], { messages, hasLeftovers });
  }
  return { open, ...sortWaiting(findWaiting(events), open) };
}

const idGap = 1000;

const openingTypes: ThreadEvent["type"][] = ["message", "message_removed", "run_started", "steered", "done"];

function findOpenRuns(events: readonly StoredEvent[]): RunStarted[] {
  const ended = new Set(events.filter((event) => event.type === "done").map((event) => event.run_id));
  return events.filter((event) => event.type === "run_started").filter((event) => !ended.has(event.run_id));
}

interface Waiting {
  readonly message: WaitingMessage;
  readonly isSteering: boolean;
}

function findWaiting(events: readonly StoredEvent[]): Waiting[] {
  const begun = new Set<string>();
  for (const event of events)
    if (event.type !== "message" && "message_id" in event) begun.add(event.message_id);
  return events
    .filter((event) => event.type === "message")
    .filter((event) => !begun.has(event.message_id))
    .map((event) => ({ message: toWaiting(event), isSteering: event.mode === "steer" }));
}

/** A message that was to steer does so, if the run that it was meant for goes on. */
function sortWaiting(
  messages: readonly Waiting[],
  open: OpenRun | undefined,
): Pick<Recovered, "steering" | "waiting"> {
  const isForRun = ({ isSteering, message }: Waiting) =>
    open !== undefined && isSteering && message.eventId > open.message.eventId;
  return {
    steering: messages.filter(isForRun).map(({ message }) => message),
    waiting: messages.filter((each) => !isForRun(each)).map(({ message }) => message),
  };
}

function closeRun(run: RunStarted, events: readonly StoredEvent[]): ThreadEvent[] {
  const outcome = tallyLog(events).outcome({
    status: "interrupted",
    model: run.model,
    container_state: "unknown",
  });
  const ids = { thread_id: run.thread_id, run_id: run.run_id, message_id: run.message_id };
  return [
    ...findOpenApprovals(events).map((asked) => refuseForRestart(asked.approval_id, asked.call_id)),
    {
      type: "error",
      code: "interrupted",
      message: "The server ended while it answered. What it had said until then is kept.",
      hint: interruptedHint,
    },
    { ...outcome, type: "done", ...ids },
  ];
}
