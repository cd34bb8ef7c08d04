import type { RunOutcome } from "@atoll/protocol";
import { type ChosenModel, nameModel } from "../models/choice.ts";
import { explainFault } from "../models/fault.ts";
import { resolveModel } from "../models/first-model.ts";
import { openModel } from "../models/open.ts";
import { sandboxFactsOf, writeSystemPrompt } from "../prompt/system.ts";
import { deriveTitle } from "../prompt/title.ts";
import type { AnswerRequest } from "../request.ts";
import { createSubAgents } from "../sub-agents/sub-agents.ts";
import { Conversation } from "../loop/conversation.ts";
import { defaultAnswerLimits } from "../loop/limits.ts";
import { type LoopEnd, runLoop } from "../loop/loop.ts";
import type { ModelRun } from "../loop/model-run.ts";
import { RunRecord } from "../loop/record.ts";
import { finishCalls } from "../loop/resumption.ts";
import { SandboxAccess } from "../loop/sandbox-access.ts";
import { offerTools } from "../loop/tools.ts";

/** Answers with a language model and the sandbox's tools. */
export async function answerWithModel(request: AnswerRequest, chosen: ChosenModel): Promise<RunOutcome> {
  const { resume } = request;
  const tools = offerTools(request);
  const record = new RunRecord(request);
  const sandboxFacts = sandboxFactsOf(request);
  const start = resume ? "used" : "soon";
  const access = new SandboxAccess(() => request.wake(), sandboxFacts, { start });
  let choice = chosen;
  const answer = async (): Promise<LoopEnd> => {
    try {
      choice = await resolveModel(chosen, request.signal);
    } catch (error) {
      if (request.signal.aborted) return { kind: "stopped" };
      return { kind: "failed", complaint: explainFault(error, chosen) };
    }
    const model = await openModel(choice);
    const system = writeSystemPrompt(request.data, sandboxFacts, request.restore);
    const conversation = new Conversation(system, request.history, request.message);
    const limits = { ...defaultAnswerLimits, ...request.limits };
    const run: ModelRun = {
      request,
      choice,
      model,
      conversation,
      record,
      limits,
      agent: "main",
      agents: (callId) => createSubAgents(run, access, tools, callId),
    };
    const ended = resume && (await finishCalls(run, access, tools, resume));
    return ended ?? runLoop(run, access, tools, resume?.steps);
  };
  const end = await answer();
  if (request.history.every(({ isCode }) => isCode))
    record.emit({ type: "title", title: deriveTitle(request.message) });
  if (end.kind === "failed") {
    const { code, message, hint } = end.complaint;
    record.emit({ type: "error", code, message, hint });
  }
  return record.end(end.kind, nameModel(choice), access);
}
