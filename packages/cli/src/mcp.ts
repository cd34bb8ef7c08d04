import { Console } from "node:console";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { AtollError, type NetworkPolicy } from "@atoll/sandbox";
import {
  type PermissionRule,
  permissionRuleSchema,
  SandboxSession,
  type SandboxSessionOptions,
} from "@atoll/toolkit";
import {
  chooseTools,
  createElicitedApproval,
  createMcpServer,
  createWorkspaceResources,
  openConfiguredServers,
  serveStdio,
} from "@atoll/toolkit/mcp";
import { mcpOptions } from "./options.ts";
import { plain } from "./terminal.ts";

/** `atoll mcp`: a sandbox for an MCP client that starts this program, until it closes standard input. */
export async function mcp(args: string[]): Promise<number> {
  // Standard output carries the protocol.
  globalThis.console = new Console(process.stderr);
  const { values } = parseArgs({ args, options: mcpOptions });
  const tools = chooseTools(values.tools);
  const rules = values.rules === undefined ? [] : await readRules(values.rules);
  const serversFile = values["mcp-servers"];
  const servers = serversFile === undefined ? undefined : await openConfiguredServers(serversFile);
  const opening = SandboxSession.create({
    ...toSessionOptions(values),
    tools,
    rules,
    approve: createElicitedApproval(),
    mcp: servers,
  });
  // Answers the client at once. If the session cannot be opened, its first use fails, and the reason is logged here.
  opening.catch((error: unknown) =>
    console.error(`atoll: ${error instanceof AtollError ? error.message : error}`),
  );
  const server = createMcpServer(
    { tools, call: async (...call) => (await opening).call(...call) },
    {
      resources: createWorkspaceResources({ open: async () => (await opening).sandbox, rules: () => rules }),
      onDefect: (error) => console.error("atoll: a defect:", error),
    },
  );
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop.abort());
  await serveStdio(server, { signal: stop.signal });
  await Promise.all([closeSession(opening), servers?.close()]);
  return 0;
}

async function closeSession(opening: Promise<SandboxSession>): Promise<void> {
  const session = await opening.catch(() => undefined);
  const lost = (await session?.close()) ?? [];
  for (const { name, reason } of lost)
    console.error(`atoll: the variable ${plain(name)} is not kept: ${plain(reason)}`);
}

function toSessionOptions(values: {
  session?: string;
  runtime?: string;
  data?: string[];
  network?: string;
}): SandboxSessionOptions {
  const { session, runtime, data = [], network } = values;
  return {
    datasets: data.map((path) => resolve(path)),
    sessionId: session,
    runtime,
    ...(network === undefined ? {} : { network: readNetwork(network) }),
  };
}

function readNetwork(text: string): NetworkPolicy {
  if (text === "none" || text === "all-public") return text;
  return { allow: text.split(",").map((host) => host.trim()) };
}

async function readRules(path: string): Promise<readonly PermissionRule[]> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new AtollError("not_found", `cannot read the rules in ${path}`, { cause });
  });
  const parsed = permissionRuleSchema.array().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const form = '[{"tool": "execute_shell", "input": {"command": "rm *"}, "permission": "ask"}]';
  throw new AtollError("invalid_argument", `${path} is not a list of rules, such as ${form}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
