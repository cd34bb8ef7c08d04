import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { SandboxSession, type SandboxSessionOptions } from "../../session/sandbox-session.ts";
import { createElicitedApproval } from "./approvals.ts";
import { createMcpServer } from "./server.ts";
import { createWorkspaceResources } from "../resources/workspace-resources.ts";

/** A data folder for one test file. */
export async function makeDataDir(): Promise<{ dataDir: string; remove(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "atoll-mcp-"));
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }) };
}

export interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
  readonly session: SandboxSession;
  readonly defects: unknown[];
}

/** A client of the SDK and our server, in one process, with a sandbox of their own. */
export async function connectClient(
  options: SandboxSessionOptions & { decide?: (message: string) => ElicitResult },
): Promise<ConnectedClient> {
  const { decide, ...sessionOptions } = options;
  const defects: unknown[] = [];
  const session = await SandboxSession.create({ ...sessionOptions, approve: createElicitedApproval() });
  const { rules = [] } = sessionOptions;
  const server = createMcpServer(session, {
    resources: createWorkspaceResources({ open: async () => session.sandbox, rules: () => rules }),
    onDefect: (error) => void defects.push(error),
  });
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: decide ? { elicitation: {} } : {} },
  );
  if (decide) client.setRequestHandler(ElicitRequestSchema, ({ params }) => decide(params.message));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    client,
    session,
    defects,
    async [Symbol.asyncDispose]() {
      await client.close();
      await session.close();
    },
  };
}

/** The text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("\n");
}
