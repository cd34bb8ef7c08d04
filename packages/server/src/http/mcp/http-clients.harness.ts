import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PermissionRule } from "@atoll/toolkit";
import type { McpServers } from "@atoll/toolkit/mcp";
import type { HttpConfig } from "../http-config.ts";
import { makeTestServer, type TestServer } from "../test-server.harness.ts";
import { ApiSandboxes } from "../../api-sandboxes/api-sandboxes.ts";
import type { AtEnd } from "../../store/temporary-store.harness.ts";
import { createMcpService, type McpService } from "./service.ts";

export interface McpTestServer extends TestServer {
  readonly url: string;
  readonly mcp: McpService;
  readonly apiSandboxes: ApiSandboxes;
  readonly problems: unknown[];
  /** Ends what it listens with and every session, as at the end of the server. */
  close(): Promise<void>;
}

/** A folder for the sandboxes of a whole test file: its first one is the slow one. */
export async function makeSandboxDir(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), "atoll-mcp-server-"));
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 10 }) };
}

/** The real HTTP surface with MCP, listening, over real sandboxes. */
export async function startMcpServer(
  atEnd: AtEnd,
  options: {
    sandboxDir: string;
    idleMs?: number;
    rules?: () => readonly PermissionRule[];
    servers?: McpServers;
    config?: Partial<HttpConfig>;
    port?: number;
    mcp?: McpService;
  },
): Promise<McpTestServer> {
  const { sandboxDir, idleMs = 3_600_000, rules = () => [], servers, config, port = 0 } = options;
  const apiSandboxes = new ApiSandboxes({ dataDir: sandboxDir });
  const problems: unknown[] = [];
  const mcp =
    options.mcp ??
    createMcpService({
      idleMs,
      apiSandboxes,
      previews: { isLoopback: true, signingKey: randomBytes(32) },
      openThread: () => server.runner.openSandbox(),
      browserOf: () => ({ use: () => Promise.reject(new Error("there is no browser in this test")) }),
      rules,
      network: () => "none",
      servers,
      onProblem: (error) => void problems.push(error),
    });
  const server: TestServer = await makeTestServer(atEnd, {
    services: {
      apiSandboxes,
      mcp: { handle: (...asked) => mcp.handle(...asked), shut: () => mcp.sessions.shut() },
    },
    config,
  });
  const serving = await server.listen({ port });
  const close = async () => {
    await serving.close();
    await mcp.sessions.close();
    await apiSandboxes.close();
  };
  atEnd(close);
  return { ...server, url: serving.url, mcp, apiSandboxes, problems, close };
}
