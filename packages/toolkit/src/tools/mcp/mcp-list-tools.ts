import { z } from "zod";
import type { McpToolListing } from "../../mcp/client/servers.ts";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { noServers } from "./no-servers.ts";
import { serverName } from "./server-name.ts";

const input = z.strictObject({
  server: serverName,
  query: z.string().optional().describe("Only tools whose name or description holds this text"),
});

export const mcpListTools: Tool<z.infer<typeof input>> = {
  name: "mcp_list_tools",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run({ server, query = "" }, { mcp = noServers, signal }) {
    const wanted = query.toLowerCase();
    const tools = (await mcp.tools(server, { signal })).filter(({ name, description = "" }) =>
      `${name}\n${description}`.toLowerCase().includes(wanted),
    );
    return success(tools.map(describe).join("\n\n") || "(no tool)", { data: tools });
  },
};

function describe({ name, description, inputSchema }: McpToolListing): string {
  const { $schema: _, ...schema } = inputSchema;
  return [
    name,
    ...(description === undefined ? [] : [description]),
    `arguments: ${JSON.stringify(schema)}`,
  ].join("\n");
}
