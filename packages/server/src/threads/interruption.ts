import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import { findOpenApprovals } from "./open-run.ts";

type CallEvent = StoredEvent & { type: "tool_call" };

/**
 * How a run that its server did not live to end can go on: with these events first. Undefined when it cannot: then it was
 * in the middle of something. `events` are the run's.
 *
 * A call of the model that waits for a user goes on waiting. A program, or another agent, that waits is gone with its
 * server: what it asked is refused, and the model is told to call again.
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
    ...[...inner.toReversed(), current].map(tellOfRestart),
  ];
}

/** Calls without a result, in their order. */
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

export function refuseForRestart(approvalId: string, callId: string): ThreadEvent {
  return {
    type: "approval_decided",
    approval_id: approvalId,
    call_id: callId,
    decision: "deny",
    by: "end",
    reason: "The server restarted.",
  };
}

function tellOfRestart({ call_id, tool, parent_call_id }: CallEvent): ThreadEvent {
  return {
    type: "tool_result",
    call_id,
    tool,
    output:
      "[Interrupted by a restart of the server. What it had done until then stays. If it is still needed, call it again.]",
    is_error: true,
    duration_ms: 0,
    parent_call_id,
  };
}
