import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { ServerEntry } from "./server-file.ts";

const CONNECT_MS = 30_000;
const LONGEST_MESSAGE_BYTES = 16 * 1024 * 1024;

/** A client of one server. `onClosed`: the server has gone. */
export async function connect(entry: ServerEntry, onClosed: () => void): Promise<Client> {
  // It offers a server nothing: no model, no user to ask, no folders of the host.
  const client = new Client({ name: "atoll", version: "0.1.0" }, { capabilities: {} });
  const transport = openTransport(entry);
  try {
    await client.connect(transport, { timeout: CONNECT_MS });
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
  Object.assign(client, { onclose: onClosed });
  if (!client.transport) throw new McpError(ErrorCode.ConnectionClosed, "it ended at once");
  return client;
}

function openTransport(entry: ServerEntry): Transport {
  if ("command" in entry) {
    const { command, args = [], env = {}, cwd } = entry;
    // Of the host's environment a child gets what `getDefaultEnvironment` of the SDK lists: HOME, PATH and the like.
    return new StdioClientTransport({
      command,
      args,
      env,
      stderr: "inherit",
      maxBufferSize: LONGEST_MESSAGE_BYTES,
      cwd,
    });
  }
  const requestInit = { headers: entry.headers ?? {} };
  const url = new URL(entry.url);
  if (entry.type === "sse") return new SSEClientTransport(url, { requestInit });
  // The SDK's own types differ in `sessionId?: string | undefined`.
  return new StreamableHTTPClientTransport(url, { requestInit }) as Transport;
}
