import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { EventMemory } from "./event-memory.ts";

export const SESSION_HEADER = "mcp-session-id";

/** One client over Streamable HTTP: POST, GET for what the server says by itself, DELETE. */
export interface McpHttpSession {
  /** `body`: what was posted, parsed. */
  handle(request: Request, body?: unknown): Promise<Response>;
  /** Ends its streams and stops its calls. */
  close(): Promise<void>;
}

export interface McpHttpSessionOptions {
  readonly id: string;
  /** When the client ends it, or `close` does. */
  onClosed(): void;
}

export async function openMcpHttpSession(
  server: Server,
  { id, onClosed }: McpHttpSessionOptions,
): Promise<McpHttpSession> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: new EventMemory(),
    retryInterval: 1000,
  });
  Object.assign(server, { onclose: onClosed });
  await server.connect(transport);
  return {
    handle: (request, body) =>
      transport.handleRequest(request, body === undefined ? {} : { parsedBody: body }),
    close: () => server.close(),
  };
}

/** Whether a body begins a session. */
export function isInitialization(body: unknown): boolean {
  return [body].flat().some(isInitializeRequest);
}

/** A failure before a message was understood, in the protocol's form. */
export function writeHttpFailure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
