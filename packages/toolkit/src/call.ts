import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { cutOutput } from "./cut.ts";
import { failure } from "./output.ts";
import type { Tool, ToolContext, ToolOutput } from "./tool.ts";

/** Arguments as a tool's schema reads them. Rules judge, users approve and the tool runs this very object. */
export interface ParsedInput {
  readonly [parsed]: true;
}

declare const parsed: unique symbol;

/** The only reading of a call's arguments, or what is wrong with them in words for the model. */
export function parseInput(tool: Tool, input: unknown): { input: ParsedInput } | { fault: string } {
  const result = tool.input.safeParse(input);
  if (result.success) return { input: result.data as ParsedInput };
  return { fault: `The arguments do not fit ${tool.name}:\n${z.prettifyError(result.error)}` };
}

/**
 * Runs a tool. Failures of the platform come back as output for the model, and long output is cut. Throws only what is
 * a defect.
 */
export async function callTool(tool: Tool, input: ParsedInput, context: ToolContext): Promise<ToolOutput> {
  try {
    const output = await tool.run(input, context);
    return { ...output, text: await cutOutput(output.text, tool, context) };
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    return { ...failure(describeError(tool, error)), errorCode: error.code };
  }
}

function describeError(tool: Tool, error: AtollError): string {
  return error.code === "not_supported"
    ? `${tool.name} is not supported by this runtime: ${error.message}`
    : `${tool.name} failed: ${error.message}`;
}
