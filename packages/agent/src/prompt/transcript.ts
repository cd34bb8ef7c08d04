import { joinEnds } from "@atoll/toolkit";
import type { Turn, TurnPart } from "../history.ts";
import { describeUserCode } from "./messages.ts";

const MAX_CHARS = 24_000;

/** Turns as plain text for a summary: short enough for any model, the newest at full length last. */
export function writeTranscript(turns: readonly Turn[]): string {
  const lines = turns.flatMap(writeTurn);
  const text = lines.join("\n");
  return text.length > MAX_CHARS ? `[…]\n${text.slice(-MAX_CHARS)}` : text;
}

export const summaryRequest =
  "Summarise this conversation between a user and a data analyst, so that the analyst can go on from your summary alone. Keep: what the user wants, decisions, findings with their numbers, names of variables and files that exist, what is still open. No introduction, at most 300 words.";

function writeTurn(turn: Turn): string[] {
  if (turn.isCode) return [cut(describeUserCode(turn), 2000)];
  return [`User: ${cut(turn.user, 2000)}`, ...turn.parts.map(writePart)];
}

function writePart(part: TurnPart): string {
  if (part.kind === "text") return `Analyst: ${cut(part.text.trim(), 2000)}`;
  if (part.kind === "steering") return `User: ${cut(part.text, 2000)}`;
  return `Tool ${part.tool}: ${cut(JSON.stringify(part.input) ?? "", 800)}\nResult: ${cut(part.output ?? "none", 800)}`;
}

function cut(text: string, maxChars: number): string {
  return joinEnds(text, maxChars, "cut");
}
