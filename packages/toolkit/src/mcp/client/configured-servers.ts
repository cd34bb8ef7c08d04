import { AtollError, type CallOptions } from "@atoll/sandbox";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { connect } from "./connection.ts";
import { readRemoteOutput } from "./remote-output.ts";
import { readServerFile, type ServerEntry } from "./server-file.ts";
import { refuseAborted, type McpServerListing, type McpServers, type McpToolListing } from "./servers.ts";

const ANSWER_MS = 30_000;
/** For a call that reports no progress. */
const CALL_MS = 10 * 60_000;
const MOST_TOOLS = 1000;

export interface ConfiguredServers extends McpServers {
  readonly count: number;
  /** Ends the children, and leaves the others. */
  close(): Promise<void>;
}

/** The servers that a file names, for all sessions together. Each is started, or connected to, by its first use. */
export async function openConfiguredServers(path: string): Promise<ConfiguredServers> {
  return new ServersOfFile(await readServerFile(path));
}

interface Connection {
  readonly entry: ServerEntry;
  client?: Promise<Client> | undefined;
  isReady: boolean;
  failure?: string | undefined;
}

class ServersOfFile implements ConfiguredServers {
  readonly #connections: ReadonlyMap<string, Connection>;
  #isClosed = false;

  constructor(entries: ReadonlyMap<string, ServerEntry>) {
    this.#connections = new Map([...entries].map(([name, entry]) => [name, { entry, isReady: false }]));
  }

  get count(): number {
    return this.#connections.size;
  }

  async list({ signal }: CallOptions): Promise<readonly McpServerListing[]> {
    refuseAborted(signal);
    return [...this.#connections].map(([name, { entry, isReady, failure }]) => ({
      name,
      state: isReady ? ("ready" as const) : failure === undefined ? ("idle" as const) : ("failed" as const),
      description: entry.description,
      ...(failure === undefined || isReady ? {} : { reason: failure }),
    }));
  }

  async tools(server: string, options: CallOptions): Promise<readonly McpToolListing[]> {
    return this.#use(server, options, async (client, signal) => {
      const tools: McpToolListing[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor }, {
          signal,
          timeout: ANSWER_MS,
        });
        for (const { name, description, inputSchema } of page.tools)
          tools.push({ name, inputSchema, description });
        cursor = page.nextCursor;
        if (cursor === undefined || tools.length >= MOST_TOOLS) return tools.slice(0, MOST_TOOLS);
      }
    });
  }

  async execute(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ) {
    return this.#use(server, options, async (client, signal) => {
      const result = await client.callTool({ name: tool, arguments: { ...input } }, undefined, {
        signal,
        timeout: CALL_MS,
        resetTimeoutOnProgress: true,
        onprogress: () => {},
      });
      return readRemoteOutput(result as CallToolResult);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const clients = [...this.#connections.values()].map(({ client }) => client);
    await Promise.allSettled(clients.map(async (client) => (await client)?.close()));
  }

  async #use<Result>(
    name: string,
    { signal = new AbortController().signal }: CallOptions,
    work: (client: Client, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    refuseAborted(signal);
    const connection = this.#connections.get(name);
    if (!connection || this.#isClosed) throw this.#unknown(name);
    try {
      const client = await this.#client(connection, name);
      return await work(client, signal).catch(async (error: unknown) => {
        if (!isSessionGone(error)) throw error;
        // The server has restarted and has not run this call: connect and try once more.
        connection.client = undefined;
        await client.close().catch(() => {});
        return work(await this.#client(connection, name), signal);
      });
    } catch (error) {
      throw translate(error, name, signal);
    }
  }

  #client(connection: Connection, name: string): Promise<Client> {
    if (connection.client) return connection.client;
    const forget = (reason?: string) => {
      if (connection.client !== connecting) return;
      Object.assign(connection, { client: undefined, isReady: false, failure: reason });
    };
    const connecting = connect(connection.entry, () =>
      forget("it ended by itself; its next use starts it again"),
    );
    connection.client = connecting;
    connecting.then(
      () => Object.assign(connection, { isReady: true, failure: undefined }),
      (error: unknown) => forget(describeFailure(error, name)),
    );
    return connecting;
  }

  #unknown(name: string): AtollError {
    const names = [...this.#connections.keys()].join(", ") || "none";
    return new AtollError("not_found", `there is no MCP server "${name}"; there are: ${names}`);
  }
}

/** The server has restarted: it does not know this client's session. */
function isSessionGone(error: unknown): boolean {
  return error instanceof StreamableHTTPError && error.code === 404;
}

function translate(error: unknown, server: string, signal: AbortSignal): unknown {
  if (error instanceof AtollError) return error;
  if (signal.aborted) return new AtollError("aborted", "stopped by the caller", { cause: error });
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
    return new AtollError("timeout", `the MCP server ${server} did not answer in time`, { cause: error });
  if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed)
    return new AtollError(
      "invalid_argument",
      `the MCP server ${server} refused: ${error.message.slice(0, 2000)}`,
      {
        cause: error,
      },
    );
  return new AtollError("unavailable", describeFailure(error, server), { cause: error });
}

/** Without paths and addresses of the host, which its operator finds in the log. */
function describeFailure(error: unknown, server: string): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOENT" || code === "EACCES")
    return `the MCP server ${server} cannot be started: its command is not there, or may not be run`;
  if (error instanceof StreamableHTTPError)
    return `the MCP server ${server} answers with status ${error.code ?? "unknown"}`;
  if (error instanceof McpError && error.code === ErrorCode.ConnectionClosed)
    return `the MCP server ${server} ended without an answer`;
  return `the MCP server ${server} cannot be reached`;
}
