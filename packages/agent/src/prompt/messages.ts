import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from "@ai-sdk/provider";
import type { ToolOutput } from "@atoll/toolkit";
import { findPictures, showAfter } from "./pictures.ts";
import type { Turn, TurnPart } from "../history.ts";

type Call = Extract<TurnPart, { kind: "call" }>;

export type Message = LanguageModelV4Message;

export function userMessage(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export function assistantMessage(text: string): Message {
  return { role: "assistant", content: [{ type: "text", text }] };
}

/** `withPictures`: for a provider that takes more than text in a result. */
function toolResult(
  call: { toolCallId: string; toolName: string },
  output: ToolOutput,
  { withPictures = false } = {},
): LanguageModelV4ToolResultPart {
  const pictures = withPictures ? findPictures(output) : [];
  if (pictures.length > 0) {
    const value = [{ type: "text" as const, text: output.text }, ...pictures];
    return { type: "tool-result", ...call, output: { type: "content", value } };
  }
  const type = output.isError ? "error-text" : "text";
  return { type: "tool-result", ...call, output: { type, value: output.text } };
}

/** The results of one step. Where a provider takes only text in them, what there is to see follows them. */
export function writeResults(
  results: readonly { call: { toolCallId: string; toolName: string }; output: ToolOutput }[],
  { withPictures }: { withPictures: boolean },
): Message[] {
  const content = results.map(({ call, output }) => toolResult(call, output, { withPictures }));
  const after = withPictures ? [] : showAfter(results.map(({ output }) => output));
  return [{ role: "tool", content }, ...after];
}

/**
 * A conversation that every provider takes: each call is followed by its result, no text is empty, and no turn of the
 * user follows another without an answer between them.
 */
export function writeHistory(history: readonly Turn[]): Message[] {
  return history.flatMap(writeTurn);
}

function writeTurn(turn: Turn): Message[] {
  if (turn.isCode) return [userMessage(describeUserCode(turn)), assistantMessage("[seen]")];
  const note = turn.status === "completed" ? "" : endNotes[turn.status];
  const messages = [userMessage(turn.user), ...writeParts(turn.parts, { note })];
  if (messages.at(-1)?.role !== "assistant") messages.push(assistantMessage("[no answer]"));
  return messages;
}

/** What the user ran without the model, as the user might tell of it. */
export function describeUserCode({ user, parts }: Turn): string {
  const call = parts.find((part) => part.kind === "call");
  const output = call?.output ?? "[interrupted before it had a result]";
  return `[The user ran this code]\n${user}\n[Its output]\n${output}`;
}

/** `outputs`: of calls that have none in the log yet, by their ids. `note`: said at the end. */
export function writeParts(
  parts: readonly TurnPart[],
  { outputs = new Map(), note = "" }: { outputs?: ReadonlyMap<string, ToolOutput>; note?: string },
): Message[] {
  const messages: Message[] = [];
  let text = "";
  let calls: Call[] = [];
  const flush = () => {
    if (text.trim() !== "" || calls.length > 0) messages.push(...writeAnswer(text.trim(), calls, outputs));
    text = "";
    calls = [];
  };
  for (const part of parts) {
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
  if (note !== "") {
    if (calls.length > 0) flush();
    text = `${text.trim()}\n${note}`;
  }
  flush();
  return messages;
}

const endNotes = {
  stopped: "[The user stopped this answer.]",
  failed: "[This answer failed before it was complete.]",
  interrupted: "[This answer was cut off by a restart of the server.]",
};

function writeAnswer(
  text: string,
  calls: readonly Call[],
  outputs: ReadonlyMap<string, ToolOutput>,
): Message[] {
  const textPart = text === "" ? [] : [{ type: "text" as const, text }];
  if (calls.length === 0) return [{ role: "assistant", content: textPart }];
  return [
    { role: "assistant", content: [...textPart, ...calls.map(writeCall)] },
    { role: "tool", content: calls.map((call) => writeResult(call, outputs.get(call.callId))) },
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

function writeResult(call: Call, output?: ToolOutput): LanguageModelV4ToolResultPart {
  const text = call.output ?? "[interrupted before it had a result]";
  const ids = { toolCallId: safeId(call.callId), toolName: call.tool };
  return toolResult(ids, output ?? { text, isError: call.isError });
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
