import { AtollError, type RunOutput, type Sandbox } from "@atoll/sandbox";
import { callTool, type Tool, type ToolOutput } from "@atoll/toolkit";
import type { CodeRun } from "../events.ts";
import type { AnswerRequest, ToolCall } from "../request.ts";
import { CallReport } from "./call-report.ts";
import { type RunRecord, round } from "./record.ts";
import { seekPermission } from "./refusal.ts";
import type { SandboxAccess } from "./sandbox-access.ts";
import { orStopped, stopped } from "./wait.ts";

/** After a stop, running code has this long to end by itself and be told of as it ended. */
const STOP_GRACE_MS = 120;

export interface CallSurroundings {
  readonly request: AnswerRequest;
  readonly record: RunRecord;
  readonly access: SandboxAccess;
  readonly tools: readonly Tool[];
  readonly maxToolOutputChars: number;
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
export async function runCall(call: ToolCall, around: CallSurroundings): Promise<CallEnd> {
  const { request, record, access } = around;
  const permission = await seekPermission(call, around.tools, {
    approve: (asked) => request.approve(asked),
    signal: request.signal,
  });
  if (permission.kind === "stopped") return permission;
  if (permission.kind === "refused") {
    emitResult(record, call, permission.output, 0);
    return { kind: "answered", output: permission.output, results: [] };
  }
  if (!access.isAwake) record.emit({ type: "status", text: "Waiting for the sandbox" });
  const sandbox = await orStopped(access.use().catch(asAtollError), request.signal);
  if (sandbox === stopped) return { kind: "stopped" };
  if (sandbox instanceof AtollError) return { kind: "failed", error: sandbox };
  return runTool(permission.tool, call, sandbox, around);
}

async function runTool(
  tool: Tool,
  call: ToolCall,
  sandbox: Sandbox,
  { request, record, access, maxToolOutputChars }: CallSurroundings,
): Promise<CallEnd> {
  const { callId, input } = call;
  const { signal } = request;
  const report = new CallReport(callId, record, request);
  const startedAt = performance.now();
  const running = callTool(tool, input, {
    callId,
    sandbox,
    signal,
    report,
    maxOutputChars: maxToolOutputChars,
  });
  const output = await orStopped(running, signal, STOP_GRACE_MS);
  if (output === stopped) {
    await report.end(undefined, "Stopped.");
    return { kind: "stopped" };
  }
  await report.end(sandbox, output.errorCode === "aborted" ? "Stopped." : output.text);
  if (output.errorCode === "aborted" && signal.aborted) return { kind: "stopped" };
  const told = addNews(output, access);
  emitResult(record, call, told, performance.now() - startedAt);
  const { results, codeRun } = report;
  return { kind: "answered", output: told, results, ...(codeRun ? { codeRun } : {}) };
}

function emitResult(record: RunRecord, call: ToolCall, output: ToolOutput, durationMs: number): void {
  record.emit({
    type: "tool_result",
    call_id: call.callId,
    tool: call.tool,
    output: output.text,
    is_error: output.isError,
    duration_ms: round(durationMs),
  });
}

function addNews(output: ToolOutput, access: SandboxAccess): ToolOutput {
  const news = access.takeNews();
  const text = news === "" ? output.text : `${news}\n${output.text}`;
  if (output.errorCode !== "sandbox_dead") return { ...output, text };
  access.renew();
  return { ...output, text: `${text}\n[The sandbox starts anew: files are kept, variables are lost.]` };
}

function asAtollError(error: unknown): AtollError {
  if (error instanceof AtollError) return error;
  return new AtollError("internal", "the sandbox could not be started", { cause: error });
}
