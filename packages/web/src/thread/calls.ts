import type {
  ApprovalDecidedEvent,
  ApprovalEvent,
  ArtifactEvent,
  CodeRun,
  NetworkEvent,
  ResultEvent,
  StoredEvent,
} from "@atoll/client";

/** One tool call, as read from the log. */
export interface Call {
  readonly kind: "call";
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  readonly at: string;
  readonly agent?: string;
  /** Calls that a program or a sub-agent makes as part of this one. */
  readonly calls: readonly Call[];
  readonly output: readonly OutputPiece[];
  readonly results: readonly ResultEvent[];
  readonly artifacts: readonly ArtifactEvent[];
  readonly refusals: readonly Refusal[];
  readonly run?: CodeRun;
  readonly reply?: { readonly output: string; readonly isError: boolean; readonly durationMs: number };
  readonly approval?: Approval;
}

export interface OutputPiece {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export interface Approval {
  readonly asked: ApprovalEvent;
  readonly decided?: ApprovalDecidedEvent;
}

/** A host that the network policy refused. */
export interface Refusal {
  readonly host: string;
  readonly reason?: string;
  readonly count: number;
}

type Listed = { readonly kind: string; readonly id: string };

export function addCall<Part extends Listed>(
  parts: readonly (Part | Call)[],
  event: StoredEvent & { type: "tool_call" },
): readonly (Part | Call)[] {
  const { call_id: id, tool, input, at, agent, parent_call_id: parentId } = event;
  const call: Call = {
    kind: "call",
    id,
    tool,
    input,
    at,
    agent,
    calls: [],
    output: [],
    results: [],
    artifacts: [],
    refusals: [],
  };
  if (parentId === undefined) return [...parts, call];
  return changeCall(parts, parentId, (parent) => ({ ...parent, calls: [...parent.calls, call] }));
}

/** Returns the same list if there is no such call. */
export function changeCall<Part extends Listed>(
  parts: readonly (Part | Call)[],
  id: string,
  change: (call: Call) => Call,
): readonly (Part | Call)[] {
  let isChanged = false;
  const changed = parts.map((part) => {
    if (!isCall(part) || isChanged) return part;
    const next = part.id === id ? change(part) : changeInner(part, id, change);
    isChanged = next !== part;
    return next;
  });
  return isChanged ? changed : parts;
}

export function isCall(part: Listed): part is Call {
  return part.kind === "call";
}

/** Applies an event to the call it belongs to. */
export function readCallEvent(call: Call, event: StoredEvent): Call {
  switch (event.type) {
    case "output":
      return { ...call, output: addOutput(call.output, event) };
    case "result":
      return { ...call, results: [...call.results, event] };
    case "artifact":
      return { ...call, artifacts: [...call.artifacts, event] };
    case "code_run":
      return { ...call, run: event };
    case "tool_result": {
      const { output, is_error: isError, duration_ms: durationMs } = event;
      return { ...call, reply: { output, isError, durationMs } };
    }
    case "approval":
      return { ...call, approval: { asked: event } };
    case "approval_decided":
      return call.approval ? { ...call, approval: { ...call.approval, decided: event } } : call;
    default:
      return call;
  }
}

/** Counts a host that is refused again instead of listing it twice. */
export function addRefusal(refusals: readonly Refusal[], event: NetworkEvent): readonly Refusal[] {
  const { reason, count } = event;
  const host = event.port === 443 || event.port === 80 ? event.host : `${event.host}:${event.port}`;
  const index = refusals.findIndex((refusal) => refusal.host === host);
  const known = refusals[index];
  if (known) return refusals.with(index, { ...known, count: known.count + count });
  return [...refusals, { host, count, reason }];
}

function changeInner(call: Call, id: string, change: (call: Call) => Call): Call {
  const calls = changeCall<Call>(call.calls, id, change);
  return calls === call.calls ? call : { ...call, calls };
}

function addOutput(output: readonly OutputPiece[], { stream, text }: OutputPiece): OutputPiece[] {
  const last = output.at(-1);
  if (last?.stream !== stream) return [...output, { stream, text }];
  return [...output.slice(0, -1), { stream, text: last.text + text }];
}
