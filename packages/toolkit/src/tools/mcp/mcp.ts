import { AtollError } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import {
  type McpServerListing,
  type McpServers,
  type McpToolListing,
  refuseAborted,
} from "../../mcp/client/servers.ts";
import { success } from "../../output.ts";

const serverName = z.string().min(1).max(64).describe("The server's name, as mcp_list_servers gives it");

export const mcpListServers = defineTool(import.meta.url, {
  name: "mcp_list_servers",
  input: z.strictObject({}),
  isReadOnly: true,
  isOpenWorld: true,
  async run(_, { mcp = noServers, signal }) {
    const servers = await mcp.list({ signal });
    const lines = servers.map(describeServer);
    return success(lines.join("\n") || "(no MCP server is configured)", { data: servers });
  },
});

export const mcpListTools = defineTool(import.meta.url, {
  name: "mcp_list_tools",
  input: z.strictObject({
    server: serverName,
    query: z.string().optional().describe("Only tools whose name or description holds this text"),
  }),
  isReadOnly: true,
  isOpenWorld: true,
  async run({ server, query = "" }, { mcp = noServers, signal }) {
    const wanted = query.toLowerCase();
    const tools = (await mcp.tools(server, { signal })).filter(({ name, description = "" }) =>
      `${name}\n${description}`.toLowerCase().includes(wanted),
    );
    return success(tools.map(describeTool).join("\n\n") || "(no tool)", { data: tools });
  },
});

export const mcpExecute = defineTool(import.meta.url, {
  name: "mcp_execute",
  input: z.strictObject({
    server: serverName,
    tool: z.string().min(1).max(200).describe("The tool's name, as mcp_list_tools gives it"),
    arguments: z.record(z.string(), z.unknown()).default({}).describe("The tool's arguments"),
  }),
  isReadOnly: false,
  isOpenWorld: true,
  run: ({ server, tool, arguments: input }, { mcp = noServers, signal }) =>
    mcp.execute(server, tool, input, { signal }),
});

/** For a session without configured servers. */
const noServers: McpServers = {
  async list({ signal }) {
    refuseAborted(signal);
    return [];
  },
  tools: refuseServer,
  execute: refuseServer,
};

async function refuseServer(server: string): Promise<never> {
  throw new AtollError("not_found", `there is no MCP server "${server}": none is configured`);
}

function describeServer({ name, description, state, reason }: McpServerListing): string {
  const what = description === undefined ? name : `${name}: ${description}`;
  return state === "failed" ? `${what} [failed: ${reason ?? "unknown reason"}]` : what;
}

function describeTool({ name, description, inputSchema }: McpToolListing): string {
  const { $schema: _, ...schema } = inputSchema;
  return [
    name,
    ...(description === undefined ? [] : [description]),
    `arguments: ${JSON.stringify(schema)}`,
  ].join("\n");
}
