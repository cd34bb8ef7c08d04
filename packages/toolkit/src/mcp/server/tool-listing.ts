import type { Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Tool } from "../../tool.ts";

/** A tool as the protocol describes it. */
export function describeTool({ name, description, input, output, isReadOnly, isOpenWorld }: Tool): McpTool {
  return {
    name,
    title: writeTitle(name),
    description,
    inputSchema: writeSchema(input),
    ...(output ? { outputSchema: writeSchema(output) } : {}),
    annotations: { readOnlyHint: isReadOnly, openWorldHint: isOpenWorld ?? false },
  };
}

function writeSchema(schema: z.ZodType): McpTool["inputSchema"] {
  return z.toJSONSchema(schema, { io: "input" }) as McpTool["inputSchema"];
}

/** `file_read` → `File read`. */
function writeTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
