import type { ToolOutput } from "./tool.ts";

type Extras = Pick<ToolOutput, "data" | "images" | "files">;

export function success(text: string, extras: Extras = {}): ToolOutput {
  return { text, isError: false, ...extras };
}

export function failure(text: string, extras: Extras = {}): ToolOutput {
  return { text, isError: true, ...extras };
}
