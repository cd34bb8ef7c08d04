import { type AtollError } from "@atoll/sandbox";
import type { Tool } from "@atoll/toolkit";
import { takesPicturesInResults } from "../models/open.ts";
import { toFunctionTools } from "../prompt/function-tools.ts";
import { makeCallId } from "../prompt/call-id.ts";
import { userMessage, writeResults } from "../prompt/messages.ts";
import { parseInput } from "./assistant-message.ts";
import { type Finished, takeStep } from "./retry.ts";
import { announceCall } from "../calls/call-events.ts";
import { type CallContext, runCall } from "../calls/run-call.ts";
import { summarizeAnswer } from "./summarize.ts";
import type { ModelRun } from "./model-run.ts";
import type { SandboxAccess } from "./sandbox-access.ts";
import { judgeFinish } from "./finish.ts";

export interface Complaint {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export type LoopEnd =
  | { readonly kind: "completed" }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly complaint: Complaint };

/** Model, tools, model, … until the model has answered, the user stops it, or the steps are used up. */
export async function runLoop(
  run: ModelRun,
  access: SandboxAccess,
  tools: readonly Tool[],
  stepsDone = 0,
): Promise<LoopEnd> {
  const functionTools = toFunctionTools(tools);
  let nudges = 0;
  for (let step = stepsDone + 1; step <= run.limits.maxSteps; step += 1) {
    takeSteering(run);
    const end = await takeStep(run, { tools: functionTools });
    if (end.kind === "stopped") return end;
    if (end.kind === "failed") return { kind: "failed", complaint: end.fault };
    if (end.text.trim() !== "" || end.calls.length > 0)
      run.conversation.add({ role: "assistant", content: [...end.content] });
    if (end.calls.length > 0) {
      const ended = await runCalls(run, access, tools, end);
      if (ended) return ended;
      if (run.isDone?.()) return { kind: "completed" };
      continue;
    }
    const verdict = judgeFinish(end, nudges);
    if (verdict.kind === "failed") return verdict;
    if (verdict.kind === "nudge") {
      nudges += 1;
      run.conversation.add(userMessage(verdict.request));
    } else if (!takeSteering(run)) {
      if (verdict.remark) run.record.emit({ type: "status", text: verdict.remark });
      return { kind: "completed" };
    }
  }
  return summarizeAnswer(run, functionTools);
}

/** One after the other, in the model's order. Undefined when the model may go on. */
async function runCalls(
  run: ModelRun,
  access: SandboxAccess,
  tools: readonly Tool[],
  { calls }: Finished,
): Promise<LoopEnd | undefined> {
  const { record } = run;
  const context = toCallContext(run, access, tools);
  record.startParagraph();
  const known = calls.map(({ toolCallId, toolName, input }) => ({
    asked: { toolCallId, toolName },
    call: { callId: makeCallId(), tool: toolName, input: parseInput(input) },
  }));
  for (const { call } of known) announceCall(call, context);
  const results = [];
  for (const { asked, call } of known) {
    const end = await runCall(call, context);
    if (end.kind === "stopped") return end;
    if (end.kind === "failed") return { kind: "failed", complaint: complainOfSandbox(end.error) };
    results.push({ call: asked, output: end.output });
  }
  run.conversation.add(...writeResults(results, { withPictures: takesPicturesInResults(run.choice) }));
  return undefined;
}

export function toCallContext(run: ModelRun, access: SandboxAccess, tools: readonly Tool[]): CallContext {
  const { request, record, agent, parentCallId, agents, limits } = run;
  return {
    request,
    record,
    access,
    tools,
    maxToolOutputChars: limits.maxToolOutputChars,
    agent,
    parentCallId,
    agents,
  };
}

/** Whether there was any. */
function takeSteering({ request, record, conversation }: ModelRun): boolean {
  const messages = request.takeSteering();
  for (const { messageId, text } of messages) {
    record.startParagraph();
    record.emit({ type: "steered", message_id: messageId });
    conversation.add(userMessage(text));
  }
  return messages.length > 0;
}

export function complainOfSandbox(error: AtollError): Complaint {
  return {
    code: "sandbox_unavailable",
    message: `The sandbox cannot be used: ${error.message}`,
    hint: "Send the message again. If it stays so, look at the server's log.",
  };
}
