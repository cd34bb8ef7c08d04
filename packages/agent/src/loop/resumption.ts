import { AtollError } from "@atoll/sandbox";
import { endPrograms, type Tool, type ToolOutput } from "@atoll/toolkit";
import { writeParts } from "../prompt/messages.ts";
import { showAfter } from "../prompt/pictures.ts";
import type { Resumption } from "../request.ts";
import { runCall } from "../calls/run-call.ts";
import { complainOfSandbox, type LoopEnd, toCallContext } from "./loop.ts";
import type { ModelRun } from "./model-run.ts";
import type { SandboxAccess } from "./sandbox-access.ts";
import { orStopped } from "./wait.ts";

/**
 * Brings a run of an earlier server to where the model goes on: makes the calls that have no result yet, in their order,
 * and puts all that was said and done into the conversation. Undefined when the model may go on.
 */
export async function finishCalls(
  run: ModelRun,
  access: SandboxAccess,
  tools: readonly Tool[],
  { parts, hasLeftovers = false }: Resumption,
): Promise<LoopEnd | undefined> {
  if (hasLeftovers) await endLeftovers(access, run.request.signal);
  const context = toCallContext(run, access, tools);
  const outputs = new Map<string, ToolOutput>();
  for (const part of parts) {
    if (part.kind !== "call" || part.output !== undefined) continue;
    const { callId, tool, input } = part;
    const end = await runCall({ callId, tool, input }, context);
    if (end.kind === "stopped") return end;
    if (end.kind === "failed") return { kind: "failed", complaint: complainOfSandbox(end.error) };
    outputs.set(callId, end.output);
  }
  run.conversation.add(...writeParts(parts, { outputs }), ...showAfter([...outputs.values()]));
  return undefined;
}

/** Where that fails, they end by themselves after a while. */
async function endLeftovers(access: SandboxAccess, signal: AbortSignal): Promise<void> {
  try {
    await orStopped(
      access.use().then((sandbox) => endPrograms(sandbox, { signal })),
      signal,
    );
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
  }
}
