import type { Resumption } from "@atoll/agent";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import { type MessageEvent, toWaiting, type WaitingMessage } from "./message.ts";
import { type RunTally, tallyLog } from "./run-outcome.ts";
import { OpenTurn } from "./history.ts";

export type RunStarted = StoredEvent & { type: "run_started" };
export type ApprovalAsked = StoredEvent & { type: "approval" };

/** A run that an earlier server has begun and that goes on, as its log tells. */
export interface OpenRun {
  readonly runId: string;
  readonly message: WaitingMessage;
  /** On the clock of `performance.now()`. */
  readonly startedAtMs: number;
  readonly model: string;
  /** Calls that wait for a user. */
  readonly approvals: readonly ApprovalAsked[];
  /** Messages that have reached it in its middle. */
  readonly steered: readonly WaitingMessage[];
  readonly resumption: Resumption;
  readonly tally: RunTally;
}

/** `events`: of the run. `messages`: of the thread. `hasLeftovers`: a program of it was cut off. */
export function readOpenRun(
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
    startedAtMs: toPerformanceMs(started.at),
    model: started.model,
    approvals: findOpenApprovals(events),
    steered,
    resumption: { parts, steps: countSteps(events), codeRuns: tally.codeRuns, hasLeftovers },
    tally,
  };
}

export function findOpenApprovals(events: readonly StoredEvent[]): ApprovalAsked[] {
  const decided = new Set(
    events.map((event) => (event.type === "approval_decided" ? event.approval_id : undefined)),
  );
  return events
    .filter((event) => event.type === "approval")
    .filter(({ approval_id: approvalId }) => !decided.has(approvalId));
}

/** Model calls that ended in calls of tools: those of one step are all told of before the first has a result. */
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
