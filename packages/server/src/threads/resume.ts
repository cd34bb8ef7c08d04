import type { Resumption } from "@atoll/agent";
import type { RunTally, StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";
import { OpenTurn } from "./history.ts";
import { type MessageEvent, toWaiting, type WaitingMessage } from "./messages.ts";
import { INTERRUPTED_HINT, tallyLog } from "./run-outcome.ts";

/** What is left to do in a thread after its server ended. */
export interface Recovered {
  /** A run that waited for a user, and continues. */
  readonly open?: OpenRun;
  /** Messages that the open run may take before its end. */
  readonly steering: readonly WaitingMessage[];
  /** Messages without an answer. */
  readonly waiting: readonly WaitingMessage[];
}

/** Closes the runs that a dead server left open, except one that waits for a user. */
export async function recoverThread(log: ThreadLog, threadId: string): Promise<Recovered> {
  const events = log.read(threadId, { types: OPENING_TYPES });
  const started = findOpenRuns(events);
  // A power cut may have taken back ids that a reader has seen. They must not be used for other events.
  await log.skipIds(threadId, ID_GAP);
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

const ID_GAP = 1000;

const OPENING_TYPES: ThreadEvent["type"][] = ["message", "message_removed", "run_started", "steered", "done"];

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

/** A steering message still steers if its run continues. */
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
      message: "The server ended while it answered. The answer so far is kept.",
      hint: INTERRUPTED_HINT,
    },
    { ...outcome, type: "done", ...ids },
  ];
}

type RunStarted = StoredEvent & { type: "run_started" };
export type ApprovalAsked = StoredEvent & { type: "approval" };

/** A run that an earlier server began and this one continues, read from the log. */
export interface OpenRun {
  readonly runId: string;
  readonly message: WaitingMessage;
  readonly model: string;
  /** Calls that wait for a user. */
  readonly approvals: readonly ApprovalAsked[];
  /** Messages that steered it. */
  readonly steered: readonly WaitingMessage[];
  readonly resumption: Resumption;
  readonly tally: RunTally;
}

/** `events`: of the run. `messages`: of the thread. `hasLeftovers`: one of its programs was cut off. */
function readOpenRun(
  started: RunStarted,
  events: readonly StoredEvent[],
  { messages, hasLeftovers }: { messages: readonly MessageEvent[]; hasLeftovers: boolean },
): OpenRun {
  const find = (messageId: string): WaitingMessage => {
    const message = messages.find((each) => each.message_id === messageId);
    return message ? toWaiting(message) : { messageId, eventId: started.id, text: "" };
  };
  const message = find(started.message_id);
  const turn = new OpenTurn({ text: message.text, isCode: message.language !== undefined });
  const steered: WaitingMessage[] = [];
  for (const event of events) {
    if (event.type !== "steered") {
      turn.add(event);
      continue;
    }
    const known = find(event.message_id);
    steered.push(known);
    turn.push({ kind: "steering", text: known.text });
  }
  const tally = tallyLog(events, toPerformanceMs);
  const { parts } = turn.close("interrupted");
  return {
    runId: started.run_id,
    message,
    model: started.model,
    approvals: findOpenApprovals(events),
    steered,
    resumption: { parts, steps: countSteps(events), codeRuns: tally.codeRuns, hasLeftovers },
    tally,
  };
}

function findOpenApprovals(events: readonly StoredEvent[]): ApprovalAsked[] {
  const decided = new Set(
    events.map((event) => (event.type === "approval_decided" ? event.approval_id : undefined)),
  );
  return events
    .filter((event) => event.type === "approval")
    .filter(({ approval_id: approvalId }) => !decided.has(approvalId));
}

/** Model calls that led to tool calls. All tool calls of one step are logged before the first result. */
function countSteps(events: readonly ThreadEvent[]): number {
  let steps = 0;
  let isNew = true;
  for (const event of events) {
    if (event.type === "token" || event.type === "tool_result") isNew = true;
    if (event.type !== "tool_call" || event.parent_call_id !== undefined || !isNew) continue;
    steps += 1;
    isNew = false;
  }
  return steps;
}

function toPerformanceMs(at: string): number {
  return Date.parse(at) - Date.now() + performance.now();
}

type CallEvent = StoredEvent & { type: "tool_call" };

/**
 * The events with which an interrupted run can continue; undefined if it cannot, because it was in the middle of work.
 * `events` are those of the run.
 *
 * A call of the model that waits for a user keeps waiting. A program or a sub-agent that waits ended with its server: its
 * question is refused, and the model is told to call again.
 */
export function bridgeInterruption(events: readonly StoredEvent[]): readonly ThreadEvent[] | undefined {
  const open = findOpenApprovals(events);
  const unfinished = findUnfinished(events);
  const current = unfinished.find((call) => call.parent_call_id === undefined);
  if (!current) return undefined;
  if (open.some((asked) => asked.call_id === current.call_id)) return [];
  const inner = unfinished.filter((call) => isWithin(call, current.call_id, unfinished));
  const isWaiting = open.some((asked) => inner.some((call) => call.call_id === asked.call_id));
  if (!isWaiting) return undefined;
  return [
    ...open.map(({ approval_id, call_id }) => refuseForRestart(approval_id, call_id)),
    ...[...inner.toReversed(), current].map(reportRestart),
  ];
}

/** Calls without a result, in order. */
function findUnfinished(events: readonly StoredEvent[]): CallEvent[] {
  const finished = new Set(events.map((event) => (event.type === "tool_result" ? event.call_id : undefined)));
  return events.filter((event) => event.type === "tool_call").filter((call) => !finished.has(call.call_id));
}

function isWithin(call: CallEvent, ancestorId: string, calls: readonly CallEvent[]): boolean {
  const parentId = call.parent_call_id;
  if (parentId === undefined || parentId === ancestorId) return parentId === ancestorId;
  const parent = calls.find((each) => each.call_id === parentId);
  return parent !== undefined && isWithin(parent, ancestorId, calls);
}

function refuseForRestart(approvalId: string, callId: string): ThreadEvent {
  return {
    type: "approval_decided",
    approval_id: approvalId,
    call_id: callId,
    decision: "deny",
    by: "end",
    reason: "The server restarted.",
  };
}

function reportRestart({ call_id, tool, parent_call_id }: CallEvent): ThreadEvent {
  return {
    type: "tool_result",
    call_id,
    tool,
    output:
      "[Interrupted by a restart of the server. What it had done by then is kept. If it is still needed, call it again.]",
    is_error: true,
    duration_ms: 0,
    parent_call_id,
  };
}
