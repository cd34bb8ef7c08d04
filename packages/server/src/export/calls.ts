import type { CodeRun, RunEvent } from "@atoll/protocol";

export type Result = Extract<RunEvent, { type: "result" }>;
export type Artifact = Extract<RunEvent, { type: "artifact" }>;
export type Shown =
  | { readonly kind: "stream"; readonly stream: "stdout" | "stderr"; text: string }
  | { readonly kind: "result"; readonly result: Result };

/** One use of a tool, with what it showed in the order in which it came. */
export interface Call {
  readonly callId: string;
  tool: string;
  input: unknown;
  readonly shown: Shown[];
  readonly artifacts: Artifact[];
  /** Absent when the run was cut off, and for tools that run no code. */
  codeRun?: CodeRun;
  result?: { readonly output: string; readonly isError: boolean };
}

/** Gathers the events of calls. They may come interleaved: several tools can work at once. */
export class Calls {
  readonly #byId = new Map<string, Call>();

  /** The call, when this event is its first. */
  take(event: RunEvent | { type: string }): Call | undefined {
    if (!isCallEvent(event)) return undefined;
    const known = this.#byId.get(event.call_id);
    const call = known ?? { callId: event.call_id, tool: "", input: undefined, shown: [], artifacts: [] };
    this.#byId.set(event.call_id, call);
    add(call, event);
    return known ? undefined : call;
  }
}

/** The code of a call, of one that never came to its end as well. */
export function codeOf(call: Call): { language: CodeRun["language"]; code: string } | undefined {
  if (call.codeRun) return { language: call.codeRun.language, code: call.codeRun.code };
  const input = call.input as { code?: unknown; command?: unknown } | null | undefined;
  if (call.tool === "execute_python" && typeof input?.code === "string")
    return { language: "python", code: input.code };
  if (call.tool === "execute_shell" && typeof input?.command === "string")
    return { language: "shell", code: input.command };
  return undefined;
}

/** How code ended, where that is not as it should be; undefined when all went well. */
export function describeEnd(call: Call): string | undefined {
  const run = call.codeRun;
  if (!run)
    return call.result?.isError
      ? call.result.output
      : call.result
        ? undefined
        : "It did not come to its end.";
  const ends = {
    ok: undefined,
    error: run.error || run.exit_code === 0 ? undefined : `It ended with exit code ${run.exit_code}.`,
    timeout: "It was stopped: its time was up.",
    killed: "It was stopped before its end.",
  };
  const parts = [ends[run.status], ...(run.notices ?? []), run.truncated ? "The output was cut." : undefined];
  const text = parts.filter((part) => part !== undefined).join(" ");
  return text === "" ? undefined : text;
}

type CallEvent = Extract<
  RunEvent,
  { type: "tool_call" | "output" | "result" | "artifact" | "code_run" | "tool_result" }
>;

const callEventTypes = new Set(["tool_call", "output", "result", "artifact", "code_run", "tool_result"]);

function isCallEvent(event: { type: string }): event is CallEvent {
  return callEventTypes.has(event.type);
}

function add(call: Call, event: CallEvent): void {
  if (event.type === "tool_call") {
    call.tool = event.tool;
    call.input = event.input;
  } else if (event.type === "output") addOutput(call, event.stream, event.text);
  else if (event.type === "result") call.shown.push({ kind: "result", result: withSoundTable(event) });
  else if (event.type === "artifact") call.artifacts.push(event);
  else if (event.type === "code_run") call.codeRun = withSoundError(event);
  else {
    call.tool = event.tool;
    call.result = { output: event.output, isError: event.is_error };
  }
}

/** A log may hold what a kernel forged before its answers were checked. */
function withSoundError(run: CodeRun): CodeRun {
  const { error, ...rest } = run;
  if (!error) return run;
  const { name, value, traceback } = error as Partial<Record<keyof typeof error, unknown>>;
  return {
    ...rest,
    error: { name: textOr(name, "Error"), value: textOr(value, ""), traceback: textOr(traceback, "") },
  };
}

function withSoundTable(result: Result): Result {
  const { table, ...rest } = result;
  const lists = table && [table.columns, table.rows, table.index ?? [], table.index_names ?? []];
  return lists?.every((list) => Array.isArray(list)) ? result : rest;
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function addOutput(call: Call, stream: "stdout" | "stderr", text: string): void {
  const last = call.shown.at(-1);
  if (last?.kind === "stream" && last.stream === stream) last.text += text;
  else call.shown.push({ kind: "stream", stream, text });
}
