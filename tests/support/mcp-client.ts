import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

/** The SDK's own client at a server of ours, until the test ends. */
export async function connectMcp(
  url: string,
  options: { headers?: Record<string, string>; decide?: (message: string) => ElicitResult } = {},
) {
  const { headers = {}, decide } = options;
  const capabilities = decide ? { elicitation: {} } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (decide) client.setRequestHandler(ElicitRequestSchema, ({ params }) => decide(params.message));
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const texts = (content as { text?: string }[]).flatMap(({ text }) => text ?? []);
    return { text: texts.join("\n"), isError };
  };
  const python = async (code: string) => (await call("execute_python", { code })).text;
  return { client, transport, call, python, sessionId: transport.sessionId ?? "" };
}

export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
};

/** A message without a client. */
export function postMcp(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return fetch(url, {
    method: "POST",
    headers: { ...usual, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** A call in a session that began elsewhere. */
export async function callInSession(
  url: string,
  sessionId: string,
  code: string,
): Promise<{ status: number; text: string }> {
  const params = { name: "execute_python", arguments: { code } };
  const headers = { "mcp-session-id": sessionId, "mcp-protocol-version": "2025-11-25" };
  const response = await postMcp(url, { jsonrpc: "2.0", id: 77, method: "tools/call", params }, headers);
  return { status: response.status, text: await response.text() };
}
