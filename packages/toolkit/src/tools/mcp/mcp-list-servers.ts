import { z } from "zod";
import type { McpServerListing } from "../../mcp/client/servers.ts";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { noServers } from "./no-servers.ts";

const input = z.strictObject({});

export const mcpListServers: Tool<z.infer<typeof input>> = {
  name: "mcp_list_servers",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: true,
  async run(_, { mcp = noServers, signal }) {
    const servers = await mcp.list({ signal });
    const lines = servers.map(describe);
    return success(lines.join("\n") || "(no MCP server is configured)", { data: servers });
  },
};

function describe({ name, description, state, reason }: McpServerListing): string {
  const what = description === undefined ? name : `${name}: ${description}`;
  return state === "failed" ? `${what} [failed: ${reason ?? "nobody knows why"}]` : what;
}
