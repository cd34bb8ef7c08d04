import type { NetworkPolicy, Sandbox } from "@atoll/sandbox";
import type { PermissionRule, ToolSessionOptions } from "@atoll/toolkit";
import { chooseTools, type McpServers, writeHttpFailure } from "@atoll/toolkit/mcp";
import { type PreviewAccess, writePreviewLink } from "../previews/link.ts";
import type { ApiSandboxes } from "../../api-sandboxes/api-sandboxes.ts";
import { OwnSandbox } from "./own-sandbox.ts";
import { createSessionServer, type SessionServer } from "./session-server.ts";
import { type McpAddress, McpSessions } from "./sessions.ts";

/** MCP over HTTP: sessions with a sandbox of their own, and sessions on a thread's sandbox. */
export interface McpService {
  handle(request: Request, options: McpRequestOptions): Promise<Response>;
  readonly sessions: McpSessions;
}

export interface McpRequestOptions {
  /** Absent: the request has none, or it is no JSON. */
  readonly body?: unknown;
  readonly isUnreadable?: boolean;
  /** Where the client reaches this server. */
  readonly origin: string;
  /** Absent: the session has a sandbox of its own. */
  readonly threadId?: string;
  /** See `chooseTools`. */
  readonly tools?: string | undefined;
}

export interface McpServiceParts {
  readonly idleMs: number;
  readonly apiSandboxes: ApiSandboxes;
  readonly previews: PreviewAccess;
  openThread(threadId: string): Promise<Sandbox>;
  /** Of a thread: the one that its own agent uses. */
  browserOf(threadId: string): NonNullable<ToolSessionOptions["browser"]>;
  /** Of a thread, or of a session with its own sandbox. */
  rules(threadId: string | undefined): readonly PermissionRule[];
  /** For a session's own sandbox. */
  network(): NetworkPolicy;
  /** Those that the operator has configured. */
  readonly servers?: McpServers | undefined;
  /** With several servers: this one has the session, by the id of its sandbox. */
  readonly leases?: { claim(id: string): Promise<unknown>; release(id: string): Promise<void> } | undefined;
  onProblem(error: unknown): void;
}

export function createMcpService(parts: McpServiceParts): McpService {
  const { idleMs, onProblem } = parts;
  const sessions = new McpSessions({ idleMs, onProblem });
  return {
    sessions,
    async handle(request, options) {
      const { threadId } = options;
      if (options.isUnreadable) return writeHttpFailure(400, -32_700, "Parse error: the body is no JSON");
      const address: McpAddress =
        threadId === undefined
          ? { name: "own", open: (id) => openOwn(parts, id, options) }
          : { name: `thread ${threadId}`, open: async () => openThread(parts, threadId, options) };
      return sessions.handle(address, request, options.body);
    },
  };
}

async function openOwn(
  parts: McpServiceParts,
  id: string,
  { origin, tools }: McpRequestOptions,
): Promise<SessionServer> {
  const chosen = chooseTools(tools);
  await parts.leases?.claim(id);
  const sandbox = new OwnSandbox(id, parts.apiSandboxes, () => ({ network: parts.network() }));
  return createSessionServer({
    open: () => sandbox.open(),
    isThere: () => sandbox.isThere,
    rules: () => parts.rules(undefined),
    tools: chosen,
    context: createContext(parts, id, origin),
    onProblem: parts.onProblem,
    onCalled: (errorCode) => errorCode === "sandbox_dead" && sandbox.forget(),
    async end() {
      await sandbox.remove();
      await parts.leases?.release(id);
    },
  });
}

function openThread(
  parts: McpServiceParts,
  threadId: string,
  { origin, tools }: McpRequestOptions,
): SessionServer {
  return createSessionServer({
    open: () => parts.openThread(threadId),
    isThere: () => true,
    rules: () => parts.rules(threadId),
    tools: chooseTools(tools),
    context: { ...createContext(parts, threadId, origin), browser: parts.browserOf(threadId) },
    onProblem: parts.onProblem,
    async end() {},
  });
}

function createContext(
  { previews, servers }: McpServiceParts,
  sandboxId: string,
  origin: string,
): Pick<ToolSessionOptions, "previewUrl" | "mcp"> {
  return {
    async previewUrl(port) {
      const { url, path } = writePreviewLink(previews, { origin, sandboxId, port });
      return url ?? origin + path;
    },
    mcp: servers,
  };
}
