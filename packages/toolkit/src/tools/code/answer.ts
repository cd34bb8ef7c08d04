import type { ToolOutput } from "../../tool.ts";

const MAX_EXTRA_CHARS = 16_000_000;

/** One line. What is too large beside the text is left out of it. */
export function writeAnswer(id: number, { text, isError, errorCode, data, images }: ToolOutput): string {
  const answer = { id, text, isError, errorCode };
  const extras = JSON.stringify({ data, images });
  const whole = extras.length <= MAX_EXTRA_CHARS ? { ...answer, data, images } : answer;
  return `${JSON.stringify(whole)}\n`;
}
