import { roundMs } from "@atoll/protocol";
import type { ToolOutput } from "@atoll/toolkit";
import type { ToolCall } from "../request.ts";
import type { CallContext } from "./run-call.ts";

type Teller = Pick<CallContext, "record" | "agent" | "parentCallId">;

/** Says that a call is going to be made. */
export function announceCall({ callId, tool, input }: ToolCall, teller: Teller): void {
  const { record, agent, parentCallId } = teller;
  record.emit({
    type: "tool_call",
    call_id: callId,
    tool,
    input,
    ...(agent === "main" ? {} : { agent }),
    parent_call_id: parentCallId,
  });
}

/** Says what came of it. */
export function tellResult(
  call: ToolCall,
  { record, parentCallId }: Teller,
  output: ToolOutput,
  durationMs: number,
): void {
  record.emit({
    type: "tool_result",
    call_id: call.callId,
    tool: call.tool,
    output: output.text,
    is_error: output.isError,
    duration_ms: roundMs(durationMs),
    parent_call_id: parentCallId,
  });
}
