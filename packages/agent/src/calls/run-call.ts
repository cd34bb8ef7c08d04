import { AtollError, type RunOutput, type Sandbox } from "@atoll/sandbox";
import { callTool, joinEnds, type SubAgents, type Tool, type ToolOutput } from "@atoll/toolkit";
import { type CodeRun, makeNotice } from "@atoll/protocol";
import type { AnswerRequest, ToolCall } from "../request.ts";
import { tellResult } from "./call-events.ts";
import { CallReport } from "./call-report.ts";
import { createInnerCalls } from "./inner-calls.ts";
import type { RunRecord } from "../loop/record.ts";
import { type Granted, seekPermission } from "./permission.ts";
import type { SandboxAccess } from "../loop/sandbox-access.ts";
import { orStopped, stopped } from "../loop/wait.ts";

/** After a stop, running code has this long to end by itself and be told of as it ended. */
const STOP_GRACE_MS = 120;
const MAX_INPUT_CHARS = 4000;
const STOPPED = makeNotice("stopped", {});

export interface CallContext {
  readonly request: AnswerRequest;
  readonly record: RunRecord;
  readonly access: SandboxAccess;
  readonly tools: readonly Tool[];
  readonly maxToolOutputChars: number;
  /** Whose calls these are, for rules and users: `main` talks to the user. */
  readonly agent: string;
  /** The call that these are a part of, where a program or another agent makes them. */
  readonly parentCallId?: string;
  /** Those that may work for this one, as a part of this call. */
  agents?(callId: string): SubAgents;
  /** Ends these calls before the run ends. Default: the run's own. */
  readonly signal?: AbortSignal;
}

export type CallEnd =
  | {
      readonly kind: "answered";
      readonly output: ToolOutput;
      readonly results: readonly RunOutput[];
      readonly codeRun?: CodeRun;
    }
  | { readonly kind: "stopped" }
  /** There is no sandbox to run it in. */
  | { readonly kind: "failed"; readonly error: AtollError };

/** Sees one call through: checks it, asks whether it may run, runs it and tells what came of it. */
export async function runCall(call: ToolCall, context: CallContext): Promise<CallEnd> {
  const { request, record, access, agent, parentCallId, signal = request.signal } = context;
  const asked = { ...call, agent, parentCallId };
  const permission = await seekPermission(asked, context.tools, {
    approve: (each, options) => request.approve(each, options),
    signal,
  });
  if (permission.kind === "stopped") return permission;
  if (permission.kind === "refused") {
    tellResult(call, context, permission.output, 0);
    return { kind: "answered", output: permission.output, results: [] };
  }
  // A program that waits for its call is in the sandbox, which does not rest then.
  if (permission.hasWaited && parentCallId === undefined) access.refresh();
  if (!access.isAwake)
    record.emit({ type: "status", code: "waiting_for_sandbox", text: "Waiting for the sandbox" });
  const sandbox = await orStopped(access.use().catch(asAtollError), signal);
  if (sandbox === stopped) return { kind: "stopped" };
  if (sandbox instanceof AtollError) return { kind: "failed", error: sandbox };
  return runTool(permission, call, sandbox, context);
}

async function runTool(
  { tool, input, isEdited }: Granted,
  call: ToolCall,
  sandbox: Sandbox,
  context: CallContext,
): Promise<CallEnd> {
  const { request, record, maxToolOutputChars, signal = request.signal } = context;
  const { callId } = call;
  const report = new CallReport(callId, record, request);
  const startedAt = performance.now();
  const running = callTool(tool, input, {
    ...request.toolContext,
    ...(context.agents ? { agents: context.agents(callId) } : {}),
    calls: createInnerCalls(callId, context, runCall),
    callId,
    sandbox,
    signal,
    report,
    maxOutputChars: maxToolOutputChars,
  });
  const output = await orStopped(running, signal, STOP_GRACE_MS);
  if (output === stopped) {
    await report.end(undefined, STOPPED);
    return { kind: "stopped" };
  }
  await report.end(
    sandbox,
    output.errorCode === "aborted" ? STOPPED : makeNotice("other", { text: output.text }),
  );
  if (output.errorCode === "aborted" && signal.aborted) return { kind: "stopped" };
  const told = addNews(isEdited ? tellOfInput(output, input) : output, context);
  tellResult(call, context, told, performance.now() - startedAt);
  const { results, codeRun } = report;
  return { kind: "answered", output: told, results, codeRun };
}

/** The model must not take the outcome for that of the call it made. */
function tellOfInput(output: ToolOutput, input: unknown): ToolOutput {
  const used = joinEnds(JSON.stringify(input), MAX_INPUT_CHARS, "cut");
  return { ...output, text: `[The user changed the arguments. The call ran with ${used}]\n${output.text}` };
}

/** News are for the model that talks to the user: it hears of them with a result of its own. */
function addNews(output: ToolOutput, { access, parentCallId }: CallContext): ToolOutput {
  const news = parentCallId === undefined ? access.takeNews() : "";
  const text = news === "" ? output.text : `${news}\n${output.text}`;
  if (output.errorCode !== "sandbox_dead") return { ...output, text };
  access.renew();
  return { ...output, text: `${text}\n[The sandbox starts anew: files are kept, variables are lost.]` };
}

function asAtollError(error: unknown): AtollError {
  if (error instanceof AtollError) return error;
  return new AtollError("internal", "the sandbox could not be started", { cause: error });
}
