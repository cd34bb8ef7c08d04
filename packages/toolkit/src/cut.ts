import { AtollError } from "@atoll/sandbox";
import type { Tool, ToolContext } from "./tool.ts";

/** Head and tail of a long text. The whole stays within reach: in a file, or by asking a reading tool for less. */
export async function cutOutput(text: string, tool: Tool, context: ToolContext): Promise<string> {
  if (text.length <= context.maxOutputChars) return text;
  const rest = tool.isReadOnly
    ? "ask for a smaller part to see more"
    : await saveWhole(text, context).then(
        (path) => `the whole output is in ${path}: read parts of it with file_read or grep`,
        (error: unknown) => {
          if (error instanceof AtollError) return "the whole output could not be saved: print less";
          throw error;
        },
      );
  return joinEnds(text, context.maxOutputChars, rest);
}

/** Two thirds from the beginning, one third from the end, with a note between them. */
export function joinEnds(text: string, maxChars: number, note: string): string {
  if (text.length <= maxChars) return text;
  const head = splitSafely(text, Math.ceil((maxChars * 2) / 3))[0];
  const tail = splitSafely(text, text.length - Math.floor(maxChars / 3))[1];
  const left = text.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out; ${note} …]\n${tail}`;
}

/** Never in the middle of a character that takes two code units. */
function splitSafely(text: string, at: number): [string, string] {
  const code = text.charCodeAt(at);
  const index = code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
  return [text.slice(0, index), text.slice(index)];
}

async function saveWhole(text: string, context: ToolContext): Promise<string> {
  const path = `${context.sandbox.info.paths.session}/outputs/${context.callId}.txt`;
  await context.sandbox.files.write(path, text, { signal: context.signal });
  return path;
}
