import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { Turn, TurnPart } from "../history.ts";

type Call = Extract<TurnPart, { kind: "call" }>;

export type Message = LanguageModelV4Message;

export function userMessage(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export function assistantMessage(text: string): Message {
  return { role: "assistant", content: [{ type: "text", text }] };
}

export function toolResult(
  call: { toolCallId: string; toolName: string },
  output: { text: string; isError: boolean },
): LanguageModelV4ToolResultPart {
  const type = output.isError ? "error-text" : "text";
  return { type: "tool-result", ...call, output: { type, value: output.text } };
}

/**
 * A conversation that every provider takes: each call is followed by its result, no text is empty, and no turn of the
 * user follows another without an answer between them.
 */
export function writeHistory(history: readonly Turn[]): Message[] {
  return history.flatMap(writeTurn);
}

function writeTurn(turn: Turn): Message[] {
  const messages: Message[] = [userMessage(turn.user)];
  let text = "";
  let calls: Call[] = [];
  const flush = () => {
    if (text.trim() !== "" || calls.length > 0) messages.push(...writeAnswer(text.trim(), calls));
    text = "";
    calls = [];
  };
  for (const part of turn.parts) {
    if (part.kind === "call") {
      calls.push(part);
    } else if (part.kind === "text") {
      if (calls.length > 0) flush();
      text += part.text;
    } else {
      flush();
      messages.push(userMessage(part.text));
    }
  }
  if (turn.status !== "completed") {
    if (calls.length > 0) flush();
    text = `${text.trim()}\n${endNotes[turn.status]}`;
  }
  flush();
  if (messages.at(-1)?.role !== "assistant") messages.push(assistantMessage("[no answer]"));
  return messages;
}

const endNotes = {
  stopped: "[The user stopped this answer.]",
  failed: "[This answer failed before it was complete.]",
  interrupted: "[This answer was cut off by a restart of the server.]",
};

function writeAnswer(text: string, calls: readonly Call[]): Message[] {
  const textPart = text === "" ? [] : [{ type: "text" as const, text }];
  if (calls.length === 0) return [{ role: "assistant", content: textPart }];
  return [
    { role: "assistant", content: [...textPart, ...calls.map(writeCall)] },
    { role: "tool", content: calls.map(writeResult) },
  ];
}

function writeCall(call: Call) {
  return {
    type: "tool-call" as const,
    toolCallId: safeId(call.callId),
    toolName: call.tool,
    input: asObject(call.input),
  };
}

function writeResult(call: Call): LanguageModelV4ToolResultPart {
  const output = { text: call.output ?? "[interrupted before it had a result]", isError: call.isError };
  return toolResult({ toolCallId: safeId(call.callId), toolName: call.tool }, output);
}

/** Providers want an object as arguments, also where the model once gave something else. */
export function asObject(input: unknown): object {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return input;
  return { malformed_arguments: typeof input === "string" ? input.slice(0, 2000) : (input ?? null) };
}

/** Letters and digits only, which every provider accepts. */
function safeId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9]/g, "").slice(0, 40) || "call";
}
