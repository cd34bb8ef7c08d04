import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { AtollClient } from "@atoll/client";
import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { callInSession, connectMcp } from "../support/mcp-client.ts";

/** A server for the host's side, made with the SDK; found from the root of the repository. */
const script = `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
const server = new McpServer({ name: "pid", version: "1" });
server.registerTool("pid", {}, () => ({ content: [{ type: "text", text: String(process.pid) }] }));
await server.connect(new StdioServerTransport());
`;

describe("a server with MCP", () => {
  let folder: DataFolder;
  let server: ServerProcess;
  const start = async () => {
    const entry = {
      command: process.execPath,
      args: ["--input-type=module", "-e", script],
      cwd: resolve(import.meta.dirname, "../.."),
    };
    const file = join(folder.path, "mcp.json");
    await writeFile(file, JSON.stringify({ mcpServers: { pid: entry } }));
    server = await folder.start({ env: { ATOLL_MCP_SERVERS: file } });
  };
  beforeAll(async () => {
    folder = await DataFolder.create("mcp");
    await start();
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it("asks the client about every call in a thread whose approvals are on", async () => {
    const api = new AtollClient({ baseUrl: server.url });
    const { thread_id: id } = await api.threads.create({ approvals: "on" });
    const asked: string[] = [];
    const decide = (message: string): ElicitResult => {
      asked.push(message);
      return { action: "accept", content: { decision: asked.length === 1 ? "allow" : "deny" } };
    };
    const { call, python } = await connectMcp(`${server.url}/thread/${id}/mcp`, { decide });
    expect(await python("print(len(open('/data/transactions.csv').read()) > 1000)")).toBe("True");
    expect((await call("execute_shell", { command: "echo no" })).text).toMatch(/did not allow/);
    expect(asked).toHaveLength(2);
    await api.threads.update(id, { approvals: "off" });
    expect((await call("execute_shell", { command: "echo 行" })).text).toBe("行");
    expect(asked).toHaveLength(2);
  });

  it("lets a client use the operator's servers, and ends them with itself", async () => {
    const { call } = await connectMcp(`${server.url}/mcp?tools=mcp_list_servers,mcp_execute`);
    expect((await call("mcp_list_servers", {})).text).toBe("pid");
    const pid = Number((await call("mcp_execute", { server: "pid", tool: "pid" })).text);
    expect(process.kill(pid, 0)).toBe(true);
    await server.stop();
    await expect.poll(() => isAlive(pid)).toBe(false);
    await start();
  });

  it("removes what the sessions of a killed server left, and lets their clients start over", async () => {
    const first = await connectMcp(`${server.url}/mcp`);
    await first.python("x = 1");
    const api = () => new AtollClient({ baseUrl: server.url });
    expect((await api().sandboxes.list()).sandboxes).toMatchObject([{ sandbox_id: first.sessionId }]);
    await server.kill();
    await start();
    expect((await callInSession(`${server.url}/mcp`, first.sessionId, "x")).status).toBe(404);
    const second = await connectMcp(`${server.url}/mcp`);
    expect(await second.python("'x' in globals()")).toBe("False");
    const left = async () => (await api().sandboxes.list()).sandboxes.map(({ sandbox_id }) => sandbox_id);
    await expect.poll(left).toEqual([second.sessionId]);
  });

  it("does not start with a file of servers that it cannot read", async () => {
    await using other = await DataFolder.create("mcp-faulty");
    const starting = other.start({ env: { ATOLL_MCP_SERVERS: "nowhere.json" } });
    await expect(starting).rejects.toThrow(/cannot read the file of MCP servers/);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
