import { findTool, type ToolCalls, type ToolOutput } from "@atoll/toolkit";
import { makeCallId } from "../prompt/call-id.ts";
import type { ToolCall } from "../request.ts";
import { announceCall } from "./call-events.ts";
import type { CallEnd, CallContext } from "./run-call.ts";
import { programTools } from "../loop/tools.ts";

/**
 * The calls of a program that itself runs as a call. Each is a call like those of the model: announced, asked about
 * under the same agent's name, and told of; only its result goes to the program.
 */
export function createInnerCalls(
  parentCallId: string,
  context: CallContext,
  runCall: (call: ToolCall, context: CallContext) => Promise<CallEnd>,
): ToolCalls {
  const tools = programTools(context.request);
  return {
    tools,
    async call(name, input, { signal, maxOutputChars }) {
      const tool = findTool(name, tools);
      const inner: CallContext = {
        ...context,
        tools: tool ? [tool] : tools,
        parentCallId,
        maxToolOutputChars: maxOutputChars,
        signal: AbortSignal.any([signal, context.signal ?? context.request.signal]),
      };
      const call = { callId: makeCallId(), tool: name, input };
      announceCall(call, inner);
      return toOutput(await runCall(call, inner));
    },
  };
}

function toOutput(end: CallEnd): ToolOutput {
  if (end.kind === "answered") return end.output;
  if (end.kind === "stopped") return { text: "The call was stopped.", isError: true, errorCode: "aborted" };
  const { message, code } = end.error;
  return { text: `The sandbox cannot be used: ${message}`, isError: true, errorCode: code };
}
