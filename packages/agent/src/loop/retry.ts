import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { sleep } from "@atoll/std";
import { explainFault, type ModelFault } from "../models/fault.ts";
import { assistantMessage, type Message, userMessage } from "../prompt/messages.ts";
import { summaryRequest } from "../prompt/transcript.ts";
import type { ModelRun } from "./model-run.ts";
import { type StepEnd, streamStep } from "./step.ts";

export type Finished = Extract<StepEnd, { kind: "finished" }>;
export type RetriedStepEnd =
  | Finished
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly fault: ModelFault };

const MAX_WAIT_MS = 20_000;
/** Whoever asks for more patience than this is told of instead of waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

export const continueRequest =
  "[Your answer was cut off at this point. Go on exactly where it stops, without repeating any of it and without a remark about this.]";

/**
 * One step of the model, tried again where that may help. Text that was already streamed is never taken back nor sent
 * twice: after a cut the model gets its own beginning and is asked to go on from there.
 */
export async function takeStep(
  run: ModelRun,
  call: Pick<LanguageModelV4CallOptions, "tools" | "toolChoice">,
): Promise<RetriedStepEnd> {
  let said = "";
  let failures = 0;
  for (;;) {
    const prompt = [...run.conversation.prompt, ...askToContinue(said)];
    const end = await measure(run, { ...call, prompt }, true);
    if (end.kind === "finished") return said === "" ? end : prepend(said, end);
    if (end.kind === "stopped") return end;
    said += end.text;
    const fault = explainFault(end.error, run.choice);
    if (fault.code === "model_context_too_long") {
      run.record.emit({
        type: "status",
        code: "shortening",
        text: "The conversation is too long for the model: shortening it",
      });
      if (await run.conversation.shorten((transcript) => summarise(run, transcript))) continue;
    }
    if (mayBeBlind(fault, end.error) && run.conversation.dropPictures()) {
      run.record.emit({
        type: "status",
        code: "without_pictures",
        text: "The model did not take the pictures: going on without them",
      });
      continue;
    }
    failures += 1;
    const waitMs = fault.retryAfterMs ?? backOff(failures, run.limits.retryBaseMs);
    if (!fault.isRetryable || failures > run.limits.maxRetries || waitMs > MAX_RETRY_AFTER_MS) {
      return run.request.signal.aborted ? { kind: "stopped" } : { kind: "failed", fault };
    }
    const text = describeRetry(fault, waitMs, failures, run.limits.maxRetries);
    run.record.emit({ type: "status", code: "retrying", text });
    await sleep(waitMs, run.request.signal);
  }
}

async function measure(
  run: ModelRun,
  call: Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice">,
  isShown: boolean,
): Promise<StepEnd> {
  const { signal } = run.request;
  if (signal.aborted) return { kind: "stopped" };
  const startedAt = performance.now();
  const statuses = new Set<string>();
  const end = await streamStep(run.model, call, {
    signal,
    stallTimeoutMs: run.limits.stallTimeoutMs,
    onText: (delta) => isShown && run.record.say(delta),
    onSilentWork: (work) => {
      const status = describeWork(work);
      if (isShown && !statuses.has(status.text)) run.record.emit({ type: "status", ...status });
      statuses.add(status.text);
    },
  });
  run.record.addModelCall(performance.now() - startedAt);
  if (end.kind === "finished") {
    run.record.addUsage(end.usage.inputTokens.total, end.usage.outputTokens.total);
  }
  return end;
}

/** Undefined when that fails too: then the turns are left out. */
async function summarise(run: ModelRun, transcript: string): Promise<string | undefined> {
  const prompt: Message[] = [{ role: "system", content: summaryRequest }, userMessage(transcript)];
  const end = await measure(run, { prompt }, false);
  return end.kind === "finished" && end.text.trim() !== "" ? end.text.trim() : undefined;
}

function describeWork(work: { kind: "thinking" } | { kind: "calling"; tool: string }) {
  if (work.kind === "thinking") return { code: "thinking", text: "Thinking" } as const;
  return work.tool.startsWith("execute_")
    ? ({ code: "writing_code", text: "Writing code" } as const)
    : ({ code: "preparing_call", text: `Preparing ${work.tool}` } as const);
}

/** A model that cannot see refuses the request, or its server fails at it. */
function mayBeBlind({ code }: ModelFault, error: unknown): boolean {
  const said = error instanceof Error ? error.message : "";
  return code === "model_error" || /image|vision|multi-?modal|mmproj/i.test(said);
}

function askToContinue(said: string): Message[] {
  return said.trim() === "" ? [] : [assistantMessage(said.trimEnd()), userMessage(continueRequest)];
}

function prepend(said: string, end: Finished): Finished {
  const beginning = said.trim() === "" ? [] : [{ type: "text" as const, text: said }];
  return { ...end, text: said + end.text, content: [...beginning, ...end.content] };
}

function backOff(failures: number, baseMs: number): number {
  const full = Math.min(MAX_WAIT_MS, baseMs * 2 ** (failures - 1));
  return full / 2 + (full / 2) * Math.random();
}

function describeRetry(fault: ModelFault, waitMs: number, failures: number, maxRetries: number): string {
  const when = waitMs < 1000 ? "at once" : `in ${Math.round(waitMs / 1000)} s`;
  return `${fault.message} Trying again ${when} (${failures} of ${maxRetries})`;
}
