import type { ThreadEvent } from "@atoll/protocol";
import type { OpenApproval } from "../contract.ts";
import type { ApprovalAsked } from "../open-run.ts";

export function toEvent(asked: OpenApproval): ThreadEvent {
  return {
    type: "approval",
    approval_id: asked.approvalId,
    call_id: asked.callId,
    tool: asked.tool,
    input: asked.input,
    agent: asked.agent,
    parent_call_id: asked.parentCallId,
    expires_at: asked.expiresAt,
  };
}

/** `timeoutMs`: where the log does not say when it expires. */
export function fromEvent(event: ApprovalAsked, timeoutMs: number): OpenApproval {
  return {
    approvalId: event.approval_id,
    callId: event.call_id,
    tool: event.tool,
    input: event.input,
    agent: event.agent ?? "main",
    parentCallId: event.parent_call_id,
    askedAt: event.at,
    expiresAt: event.expires_at ?? new Date(Date.parse(event.at) + timeoutMs).toISOString(),
  };
}
