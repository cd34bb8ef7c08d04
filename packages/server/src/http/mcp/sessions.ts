import { randomBytes } from "node:crypto";
import {
  isInitialization,
  type McpHttpSession,
  openMcpHttpSession,
  SESSION_HEADER,
  writeHttpFailure,
} from "@atoll/toolkit/mcp";
import { ApiError } from "../errors/api-error.ts";
import type { SessionServer } from "./session-server.ts";

export interface McpSessionsOptions {
  /** A session without a request for this long ends. */
  readonly idleMs: number;
  /** Of more, the least recently used ends. Default: 200. */
  readonly maxSessions?: number;
  onProblem(error: unknown): void;
}

/** Where an address leads: all sessions of one address share what it stands for, a session belongs to one address. */
export interface McpAddress {
  readonly name: string;
  /** For a new session. */
  open(sessionId: string): Promise<SessionServer>;
}

interface Session {
  readonly address: string;
  readonly server: SessionServer;
  readonly http: McpHttpSession;
  lastUsedMs: number;
}

/** The clients that speak MCP with this server over HTTP. A session lives in this process: after a restart its client begins anew. */
export class McpSessions {
  readonly #options: McpSessionsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #ends = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(options: McpSessionsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.endIdle(), Math.min(options.idleMs / 4, 60_000)).unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  async handle(address: McpAddress, request: Request, body: unknown): Promise<Response> {
    if (this.#isClosed) throw new ApiError("shutting_down", "the server is about to end");
    const id = request.headers.get(SESSION_HEADER);
    const session = id === null ? await this.#begin(address, body) : this.#sessions.get(id);
    if (session === undefined && id === null)
      return writeHttpFailure(400, -32_000, "Bad Request: Mcp-Session-Id header is required");
    if (session?.address !== address.name) return writeHttpFailure(404, -32_001, "Session not found");
    session.lastUsedMs = performance.now();
    return session.http.handle(request, body);
  }

  endIdle(nowMs = performance.now()): void {
    for (const { server, lastUsedMs, http } of this.#sessions.values())
      if (!server.isBusy() && nowMs - lastUsedMs >= this.#options.idleMs) void http.close();
  }

  /** Takes no more, and ends every stream and call. */
  shut(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { http } of this.#sessions.values()) void http.close();
  }

  /** Resolves when what sessions had is gone, too. */
  async close(): Promise<void> {
    this.shut();
    await Promise.all(this.#ends);
  }

  async #begin(address: McpAddress, body: unknown): Promise<Session | undefined> {
    if (!isInitialization(body)) return undefined;
    this.#makeRoom();
    const id = `mcp-${randomBytes(16).toString("hex")}`;
    const server = await address.open(id);
    const http = await openMcpHttpSession(server.mcpServer, { id, onClosed: () => this.#end(id) });
    const session = { address: address.name, server, http, lastUsedMs: performance.now() };
    this.#sessions.set(id, session);
    return session;
  }

  #end(id: string): void {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    const end = session.server.end().catch(this.#options.onProblem);
    this.#ends.add(end);
    void end.finally(() => this.#ends.delete(end));
  }

  /** Many clients never say that they are done. */
  #makeRoom(): void {
    const { maxSessions = 200 } = this.#options;
    if (this.#sessions.size < maxSessions) return;
    const [oldest] = [...this.#sessions.values()]
      .filter(({ server }) => !server.isBusy())
      .toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
    if (!oldest)
      throw new ApiError("unavailable", `all ${maxSessions} MCP sessions of this server are at work`, {
        headers: { "retry-after": "5" },
      });
    void oldest.http.close();
  }
}
