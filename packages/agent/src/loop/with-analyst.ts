import { executePython } from "@atoll/toolkit";
import type { AnalystHands, PythonOutcome } from "../analyst/hands.ts";
import type { RunOutcome } from "../events.ts";
import { makeCallId } from "../prompt/call-id.ts";
import { usualSurroundings } from "../prompt/system.ts";
import { deriveTitle } from "../prompt/title.ts";
import type { AnswerRequest } from "../request.ts";
import { type CallEnd, runCall } from "./calls.ts";
import { defaultAnswerLimits } from "./limits.ts";
import { complainOfSandbox, type LoopEnd } from "./loop.ts";
import { RunRecord } from "./record.ts";
import { toWireTable } from "./result-event.ts";
import { SandboxAccess } from "./sandbox-access.ts";

export type Analyst = (
  question: string,
  context: Pick<AnswerRequest, "history" | "data">,
  hands: AnalystHands,
) => Promise<void>;

/** Answers without a model. What the analyst runs goes the way of a model's calls: same tool, events and approvals. */
export async function answerWithAnalyst(request: AnswerRequest, analyst: Analyst): Promise<RunOutcome> {
  const record = new RunRecord((event) => request.emit(event));
  const surroundings = request.surroundings ?? usualSurroundings;
  const access = new SandboxAccess(() => request.wake(), surroundings);
  const { maxToolOutputChars } = { ...defaultAnswerLimits, ...request.limits };
  const around = { request, record, access, tools: [executePython], maxToolOutputChars };
  const { message, history, data, signal } = request;

  const hands: AnalystHands = {
    signal,
    say: (text) => {
      if (!signal.aborted) record.say(text);
    },
    status: (text) => record.emit({ type: "status", text }),
    runPython: async (code) => {
      signal.throwIfAborted();
      record.startParagraph();
      const call = { callId: makeCallId(), tool: executePython.name, input: { code } };
      record.emit({ type: "tool_call", call_id: call.callId, tool: call.tool, input: call.input });
      const end = await runCall(call, around);
      if (end.kind === "stopped" || signal.aborted) throw new HandsTied({ kind: "stopped" });
      if (end.kind === "failed") {
        throw new HandsTied({ kind: "failed", complaint: complainOfSandbox(end.error) });
      }
      return describeRun(end);
    },
  };
  const end = await run(() => analyst(message, { history, data }, hands), signal);
  if (history.length === 0) record.emit({ type: "title", title: deriveTitle(message) });
  if (end.kind === "failed") record.emit({ type: "error", ...end.complaint });
  return record.end(end.kind, "built-in", access);
}

/** Ends the analyst's work when there is nothing to run code in, or nobody who wants it any more. */
class HandsTied extends Error {
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
    if (error instanceof HandsTied) return error.end;
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
      table: result.table && toWireTable(result.table),
      isImage: (result.png ?? result.jpeg ?? result.svg) !== undefined,
    })),
  };
}

function refusal(text: string) {
  return { name: "Refused", value: text, traceback: text };
}
