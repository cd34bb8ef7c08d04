import type { Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Tool } from "../../tool.ts";
import { outputSchemas } from "./output-schemas.ts";

/** A tool as the protocol describes it. */
export function describeTool({ name, description, input, isReadOnly }: Tool): McpTool {
  const outputSchema = Object.hasOwn(outputSchemas, name) ? outputSchemas[name] : undefined;
  return {
    name,
    title: writeTitle(name),
    description,
    inputSchema: writeSchema(input),
    ...(outputSchema ? { outputSchema: writeSchema(outputSchema) } : {}),
    annotations: {
      readOnlyHint: isReadOnly,
      openWorldHint: /^(browser|http|git_clone|git_push|mcp)/.test(name),
    },
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
