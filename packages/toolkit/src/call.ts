import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { cutOutput } from "./cut.ts";
import { failure } from "./output.ts";
import type { Tool, ToolContext, ToolOutput } from "./tool.ts";

/**
 * Runs a tool with arguments that nobody has checked yet. Bad arguments and failures of the platform come back as
 * output for the model, and long output is cut. Throws only what is a defect.
 */
export async function callTool(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  const parsed = tool.input.safeParse(input);
  if (!parsed.success) return failure(describeMisfit(tool, parsed.error));
  try {
    const output = await tool.run(parsed.data, context);
    return { ...output, text: await cutOutput(output.text, tool, context) };
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    return { ...failure(describeError(tool, error)), errorCode: error.code };
  }
}

/** What is wrong with the arguments, in words for the model; undefined when nothing is. */
export function checkInput(tool: Tool, input: unknown): string | undefined {
  const parsed = tool.input.safeParse(input);
  return parsed.success ? undefined : describeMisfit(tool, parsed.error);
}

function describeMisfit(tool: Tool, error: z.ZodError): string {
  return `The arguments do not fit ${tool.name}:\n${z.prettifyError(error)}`;
}

function describeError(tool: Tool, error: AtollError): string {
  return error.code === "not_supported"
    ? `${tool.name} is not supported by this runtime: ${error.message}`
    : `${tool.name} failed: ${error.message}`;
}
