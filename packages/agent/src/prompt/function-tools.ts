import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { Tool } from "@atoll/toolkit";
import { z } from "zod";

const converted = new WeakMap<Tool, LanguageModelV4FunctionTool>();

/** Tools in the form that a model call takes. */
export function toFunctionTools(tools: readonly Tool[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => {
    const known = converted.get(tool) ?? convert(tool);
    converted.set(tool, known);
    return known;
  });
}

function convert(tool: Tool): LanguageModelV4FunctionTool {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: "input" });
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"],
  };
}
