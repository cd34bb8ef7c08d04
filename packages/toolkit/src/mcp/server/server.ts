import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { ToolSession } from "../../session/tool-session.ts";
import { serveLogLevel } from "./log-level.ts";
import { type McpResources, serveResources } from "../resources/resources.ts";
import { answerToolCall } from "./tool-call.ts";
import { describeTool } from "./tool-listing.ts";

/** What a server needs of a session: one whose sandbox is made by the first call is one, too. */
export type McpToolSession = Pick<ToolSession, "tools" | "call">;

export interface McpServerOptions {
  /** Absent: the client sees no files beside what tools give it. */
  readonly resources?: McpResources;
  readonly version?: string;
  /** Called with unexpected errors: defects of this server. */
  onDefect?(error: unknown): void;
}

/**
 * A session's tools as a server of the Model Context Protocol. One server serves one client: `connect` it to a
 * transport. Rules that say `ask` are put to the client when the session was opened with `createElicitedApproval`.
 */
export function createMcpServer(session: McpToolSession, options: McpServerOptions = {}): Server {
  const { resources, version = "0.1.0", onDefect = () => {} } = options;
  const server = new Server(
    { name: "atoll", title: "Atoll", version },
    {
      capabilities: {
        tools: {},
        logging: {},
        ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
      },
      instructions: INSTRUCTIONS,
    },
  );
  const logLevel = serveLogLevel(server);
  const watch = resources && serveResources(server, resources, onDefect);
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: session.tools.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const answered = await answerToolCall(request.params, {
      session,
      server,
      extra,
      logLevel,
      onDefect,
      watch,
    });
    await watch?.look();
    return answered;
  });
  return server;
}

const INSTRUCTIONS = `These tools work in a sandbox: a Linux computer of this session's own, with a live Python kernel (pandas, numpy, matplotlib), a shell and files. Files in /workspace, variables and processes stay from call to call. Data that the user has given is in /data, read-only. Without a network policy there is no network.`;
