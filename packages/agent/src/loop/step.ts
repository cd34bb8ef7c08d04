import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { StallError } from "../models/fault.ts";
import { type AssistantContent, AssistantMessage } from "./assistant-message.ts";

export interface StepOptions {
  readonly signal: AbortSignal;
  readonly stallTimeoutMs: number;
  onText(delta: string): void;
  /** The model does something that is not text: it thinks, or writes the arguments of this tool. */
  onSilentWork(work: { kind: "thinking" } | { kind: "calling"; tool: string }): void;
}

/** How one model call ended. `text` is what it said, also when it broke off. */
export type StepEnd =
  | {
      readonly kind: "finished";
      readonly text: string;
      readonly content: AssistantContent;
      readonly calls: readonly ModelCall[];
      readonly reason: LanguageModelV4FinishReason["unified"];
      readonly usage: LanguageModelV4Usage;
    }
  | { readonly kind: "broken"; readonly text: string; readonly error: unknown }
  | { readonly kind: "stopped" };

/** A tool call as the model wrote it: `input` is text that should be JSON. */
export interface ModelCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

/**
 * One model call, read as it streams. It speaks to the provider itself (AI SDK's `doStream`): `streamText` around it
 * costs two milliseconds before the first token, and its own loop, retries and approvals are not needed here.
 */
export async function streamStep(
  model: LanguageModelV4,
  call: Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice">,
  { signal, stallTimeoutMs, onText, onSilentWork }: StepOptions,
): Promise<StepEnd> {
  const message = new AssistantMessage();
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const stall = setTimeout(() => stop.abort(new StallError("the stream is silent")), stallTimeoutMs);
  try {
    const { stream } = await model.doStream({ ...call, abortSignal: stop.signal });
    for await (const part of endAtAbort(stream, stop.signal)) {
      stall.refresh();
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") onText(part.delta);
      if (part.type === "reasoning-start") onSilentWork({ kind: "thinking" });
      if (part.type === "tool-input-start") onSilentWork({ kind: "calling", tool: part.toolName });
      message.add(part);
    }
    stop.signal.throwIfAborted();
    const finish = message.finish;
    if (!finish || finish.reason === "error" || finish.reason === "interrupted") {
      throw new Error("the stream ended before the answer did");
    }
    return {
      kind: "finished",
      text: message.text,
      content: message.content,
      calls: message.calls,
      ...finish,
    };
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    const isStall = stop.signal.reason instanceof StallError;
    return { kind: "broken", text: message.text, error: isStall ? stop.signal.reason : error };
  } finally {
    clearTimeout(stall);
    signal.removeEventListener("abort", onAbort);
    // Whatever the provider still sends is not wanted any more.
    stop.abort();
  }
}

/** Ends at the abort, also when the provider's stream does not care for it. */
async function* endAtAbort(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}
