import { isDeepStrictEqual } from "node:util";
import { executePython } from "@atoll/toolkit";
import type { AnalystActions, PythonOutcome } from "@atoll/analyst";
import type { RunOutcome } from "@atoll/protocol";
import { toWireOutput } from "@atoll/protocol/schemas";
import { makeCallId } from "../prompt/call-id.ts";
import { sandboxFactsOf } from "../prompt/system.ts";
import { deriveTitle } from "../prompt/title.ts";
import type { AnswerRequest, Resumption, ToolCall } from "../request.ts";
import { announceCall } from "../calls/call-events.ts";
import { type CallEnd, type CallContext, runCall } from "../calls/run-call.ts";
import { defaultAnswerLimits } from "../loop/limits.ts";
import { complainOfSandbox, type LoopEnd } from "../loop/loop.ts";
import { RunRecord } from "../loop/record.ts";
import { SandboxAccess } from "../loop/sandbox-access.ts";

export type Analyst = (
  question: string,
  context: Pick<AnswerRequest, "history" | "data">,
  actions: AnalystActions,
) => Promise<void>;

/**
 * Answers without a model. What the analyst runs goes the way of a model's calls: same tool, events and approvals. It says
 * nothing before its one run: to resume, it begins anew and takes the call that the log has for the one it makes.
 */
export async function answerWithAnalyst(request: AnswerRequest, analyst: Analyst): Promise<RunOutcome> {
  const { resume } = request;
  const record = new RunRecord(request);
  const sandboxFacts = sandboxFactsOf(request);
  const start = resume ? "used" : "now";
  const access = new SandboxAccess(() => request.wake(), sandboxFacts, { start });
  const { maxToolOutputChars } = { ...defaultAnswerLimits, ...request.limits };
  const tools = [executePython];
  const context: CallContext = { request, record, access, tools, maxToolOutputChars, agent: "main" };
  const { message, history, data, signal } = request;

  const actions: AnalystActions = {
    signal,
    say: (text) => {
      if (!signal.aborted) record.say(text);
    },
    status: (text) => {
      if (!resume) record.emit({ type: "status", text });
    },
    runPython: async (code) => {
      signal.throwIfAborted();
      record.startParagraph();
      const known = resume && findCall(resume, code);
      const call = known ?? { callId: makeCallId(), tool: executePython.name, input: { code } };
      if (!known) announceCall(call, context);
      const end = await runCall(call, context);
      if (end.kind === "stopped" || signal.aborted) throw new AnalystStopped({ kind: "stopped" });
      if (end.kind === "failed") {
        throw new AnalystStopped({ kind: "failed", complaint: complainOfSandbox(end.error) });
      }
      return describeRun(end);
    },
  };
  const end = await run(() => analyst(message, { history, data }, actions), signal);
  if (history.every(({ isCode }) => isCode)) record.emit({ type: "title", title: deriveTitle(message) });
  if (end.kind === "failed") record.emit({ type: "error", ...end.complaint });
  return record.end(end.kind, "built-in", access);
}

/** Undefined when the code has become another one, as with other files. */
function findCall({ parts }: Resumption, code: string): ToolCall | undefined {
  return parts
    .filter((part) => part.kind === "call")
    .find(({ output, input }) => output === undefined && isDeepStrictEqual(input, { code }));
}

/** Ends the analyst's work when there is nothing to run code in, or nobody who wants it any more. */
class AnalystStopped extends Error {
  readonly end: LoopEnd;

  constructor(end: LoopEnd) {
    super("the run is over");
    this.end = end;
  }
}

async function run(work: () => Promise<void>, signal: AbortSignal): Promise<LoopEnd> {
  try {
    await work();
    return { kind: signal.aborted ? "stopped" : "completed" };
  } catch (error) {
    if (error instanceof AnalystStopped) return error.end;
    if (signal.aborted) return { kind: "stopped" };
    throw error;
  }
}

function describeRun({ output, results, codeRun }: Extract<CallEnd, { kind: "answered" }>): PythonOutcome {
  const refused = { status: "error" as const, output: output.text, error: refusal(output.text) };
  return {
    run: codeRun ?? refused,
    results: results.map((result) => ({
      text: result.text,
      table: toWireOutput(result).table,
      isImage: (result.png ?? result.jpeg ?? result.svg) !== undefined,
    })),
  };
}

function refusal(text: string) {
  return { name: "Refused", value: text, traceback: text };
}
