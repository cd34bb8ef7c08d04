import { AtollError } from "@atoll/sandbox";
import { refuseAborted } from "../../mcp/client/aborted.ts";
import type { McpServers } from "../../mcp/client/servers.ts";

/** Of a session to which the operator has given none. */
export const noServers: McpServers = {
  async list({ signal }) {
    refuseAborted(signal);
    return [];
  },
  tools: refuse,
  execute: refuse,
};

async function refuse(server: string): Promise<never> {
  throw new AtollError("not_found", `there is no MCP server "${server}": none is configured`);
}
