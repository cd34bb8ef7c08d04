import { executePython, executeShell } from "@atoll/toolkit";
import type { RunOutcome } from "@atoll/protocol";
import { nameModel } from "../models/choice.ts";
import { makeCallId } from "../prompt/call-id.ts";
import { sandboxFactsOf } from "../prompt/system.ts";
import { deriveCodeTitle } from "../prompt/title.ts";
import type { AnswerRequest, ToolCall, UserCode } from "../request.ts";
import { announceCall } from "../calls/call-events.ts";
import { type CallContext, runCall } from "../calls/run-call.ts";
import { defaultAnswerLimits } from "../loop/limits.ts";
import { complainOfSandbox } from "../loop/loop.ts";
import { RunRecord } from "../loop/record.ts";
import { SandboxAccess } from "../loop/sandbox-access.ts";

/**
 * Runs what the user wrote, in the thread's own kernel or shell. It goes the way of a model's call, with the same events,
 * but nobody is asked: the user does it. Code that fails is an answer like any other.
 */
export async function answerWithCode(request: AnswerRequest, code: UserCode): Promise<RunOutcome> {
  const { language } = code;
  const { message, history, limits } = request;
  const record = new RunRecord(request);
  const access = new SandboxAccess(() => request.wake(), sandboxFactsOf(request));
  const tool = language === "python" ? executePython : executeShell;
  const input = language === "python" ? { code: message } : { command: message };
  const call: ToolCall = { callId: makeCallId(), tool: tool.name, input };
  const context: CallContext = {
    request: { ...request, approve: () => Promise.resolve({ decision: "allow" }) },
    record,
    access,
    tools: [tool],
    maxToolOutputChars: { ...defaultAnswerLimits, ...limits }.maxToolOutputChars,
    agent: "main",
  };
  announceCall(call, context);
  const end = await runCall(call, context);
  if (history.length === 0) record.emit({ type: "title", title: deriveCodeTitle(message) });
  if (end.kind === "failed") record.emit({ type: "error", ...complainOfSandbox(end.error) });
  const status = request.signal.aborted ? "stopped" : end.kind === "answered" ? "completed" : end.kind;
  return record.end(status, nameModel(code), access);
}
