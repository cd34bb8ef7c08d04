import { createServer, type Server as HttpServer } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { findFreePort } from "../../../../../tests/support/free-port.ts";
import { openToolSession } from "../../session/tool-session.ts";
import type { Tool } from "../../tool.ts";
import { mcpExecute, mcpListServers, mcpListTools } from "../../tools/mcp/mcp.ts";
import { openConfiguredServers } from "./configured-servers.ts";
import type { PermissionRule } from "@atoll/protocol";
import type { Sandbox } from "@atoll/sandbox";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atoll-mcp-servers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

/** A real server on standard input and output, made with the SDK. */
const script = `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
const server = new McpServer({ name: "sample", version: "1" });
const say = (text) => ({ content: [{ type: "text", text }] });
server.registerTool("greet", { description: "问候", inputSchema: { name: z.string() } }, ({ name }) => say("你好 " + name));
server.registerTool("environment", {}, () => say(JSON.stringify(process.env)));
server.registerTool("die", {}, () => process.exit(3));
server.registerTool("fail", {}, () => ({ ...say("nothing works"), isError: true }));
server.registerTool("hang", {}, (extra) => new Promise((resolve) => {
  extra.signal.addEventListener("abort", () => { process.stderr.write("cancelled\\n"); resolve(say("")); });
}));
server.registerTool("figure", { outputSchema: { answer: z.number() } }, () => ({
  content: [{ type: "text", text: "see" }, { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource", resource: { uri: "x://y", text: "全文" } }],
  structuredContent: { answer: 42 },
}));
server.registerTool("flood", {}, () => say("文".repeat(1_000_000)));
await server.connect(new StdioServerTransport());
`;

const stdio = (env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: ["--input-type=module", "-e", script],
  cwd: import.meta.dirname,
  env,
});

let count = 0;
async function open(mcpServers: Record<string, unknown>, rules: readonly PermissionRule[] = []) {
  count += 1;
  const path = join(folder, `servers-${count}.json`);
  await writeFile(path, JSON.stringify({ mcpServers }));
  const servers = await openConfiguredServers(path);
  onTestFinished(() => servers.close());
  const tools = [mcpListServers, mcpListTools, mcpExecute] as Tool[];
  // These tools do not touch the sandbox, but where what they say is too long.
  const sandbox = { info: { paths: { session: "/session" } }, files: { write: async () => {} } };
  const session = openToolSession(sandbox as unknown as Sandbox, { mcp: servers, tools, rules });
  const execute = (server: string, tool: string, given: object = {}, signal = new AbortController().signal) =>
    session.call("mcp_execute", { server, tool, arguments: given }, { signal });
  return { servers, session, execute };
}

describe("a server on standard input and output", () => {
  it("is started by its first use, lists its tools and runs them", async () => {
    const { session, execute } = await open({ sample: { ...stdio(), description: "例子" } });
    expect((await session.call("mcp_list_servers", {})).data).toEqual([
      { name: "sample", description: "例子", state: "idle" },
    ]);
    const listed = await session.call("mcp_list_tools", { server: "sample", query: "问" });
    expect(listed.text).toMatch(/^greet\n问候\narguments: \{.*"name"/);
    expect(await execute("sample", "greet", { name: "世界" })).toMatchObject({
      text: "你好 世界",
      isError: false,
    });
    expect((await session.call("mcp_list_servers", {})).data).toMatchObject([{ state: "ready" }]);
  });

  it("gets nothing of the host's environment but what the file gives and the usual few", async () => {
    process.env["ATOLL_TEST_SECRET"] = "do not tell";
    onTestFinished(() => void delete process.env["ATOLL_TEST_SECRET"]);
    const { execute } = await open({ sample: stdio({ GIVEN: "yes" }) });
    const environment = JSON.parse((await execute("sample", "environment")).text) as Record<string, string>;
    expect(environment).toMatchObject({ GIVEN: "yes", PATH: process.env["PATH"] });
    const usual = ["GIVEN", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
    expect(Object.keys(environment).filter((name) => !usual.includes(name))).toEqual([]);
  });

  it("passes on images, texts of resources and structured output", async () => {
    const { execute } = await open({ sample: stdio() });
    const output = await execute("sample", "figure");
    expect(output).toMatchObject({ data: { answer: 42 }, images: [{ mime: "image/png", base64: "aGk=" }] });
    expect(output.text).toContain("[x://y]\n全文");
  });

  it("is cut short when it says too much", async () => {
    const { execute } = await open({ sample: stdio() });
    expect((await execute("sample", "flood")).text.length).toBeLessThan(31_000);
  });

  it("is started again after it has died, and says meanwhile that it died", async () => {
    const { session, execute } = await open({ sample: stdio() });
    expect(await execute("sample", "die")).toMatchObject({ isError: true, errorCode: "unavailable" });
    expect((await session.call("mcp_list_servers", {})).text).toMatch(/failed: it ended by itself/);
    expect((await execute("sample", "greet", { name: "again" })).text).toBe("你好 again");
  });

  it("tells what is wrong with a call, and fails as the tool says", async () => {
    const { execute } = await open({ sample: stdio() });
    expect(await execute("sample", "fail")).toMatchObject({ text: "nothing works", isError: true });
    expect(await execute("sample", "greet", { name: 1 })).toMatchObject({ isError: true });
    expect(await execute("sample", "nothing")).toMatchObject({ isError: true });
    const unknown = await execute("other", "greet");
    expect(unknown).toMatchObject({ isError: true, errorCode: "not_found" });
    expect(unknown.text).toContain('there is no MCP server "other"; there are: sample');
  });

  it("lets go of a call that is stopped", async () => {
    const { execute } = await open({ sample: stdio() });
    await execute("sample", "greet", { name: "warm" });
    const stop = new AbortController();
    const running = execute("sample", "hang", {}, stop.signal);
    stop.abort();
    expect(await running).toMatchObject({ isError: true, errorCode: "aborted" });
    expect((await execute("sample", "greet", { name: "on" })).text).toBe("你好 on");
  });

  it("is named by rules as any other call", async () => {
    const deny: PermissionRule[] = [
      { tool: "mcp_execute", input: { server: "sample", tool: "d*" }, permission: "deny" },
    ];
    const { execute } = await open({ sample: stdio() }, deny);
    expect((await execute("sample", "die")).text).toMatch(/A rule does not allow/);
    expect((await execute("sample", "greet", { name: "a" })).isError).toBe(false);
  });

  it("whose command is missing fails without naming a path of the host", async () => {
    const { session, execute } = await open({ broken: { command: "/nowhere/at/all" } });
    const output = await execute("broken", "x");
    expect(output).toMatchObject({ isError: true, errorCode: "unavailable" });
    expect(output.text).toMatch(/cannot be started/);
    expect(output.text).not.toContain("/nowhere");
    expect((await session.call("mcp_list_servers", {})).text).toMatch(/broken \[failed: .*cannot be started/);
  });
});

describe("a server over HTTP", () => {
  /** Knows only the sessions that began with it, as after a restart. */
  async function serve(port = 0): Promise<{ http: HttpServer; url: string; seen: string[] }> {
    const sessions = new Map<string, StreamableHTTPServerTransport>();
    const seen: string[] = [];
    const http = createServer((request, response) => {
      const id = String(request.headers["mcp-session-id"] ?? "");
      if (request.headers.authorization !== headers.authorization) return void response.writeHead(401).end();
      seen.push(request.method ?? "");
      const known = sessions.get(id);
      if (id !== "" && !known) return void response.writeHead(404).end();
      void (async () => {
        const transport =
          known ??
          new StreamableHTTPServerTransport({
            sessionIdGenerator: () => `s${Math.random()}`,
            onsessioninitialized: (made) => void sessions.set(made, transport),
          });
        if (!known) {
          const server = new McpServer({ name: "http", version: "1" });
          server.registerTool("add", { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
            content: [{ type: "text", text: String(a + b) }],
          }));
          await server.connect(transport as never);
        }
        await transport.handleRequest(request, response);
      })();
    });
    await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => stop(http));
    return { http, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, seen };
  }

  async function stop(http: HttpServer): Promise<void> {
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
  }

  const headers = { authorization: "Bearer secret" };

  it("gets the headers of the file, and survives a restart", async () => {
    const port = await findFreePort();
    const first = await serve(port);
    const { execute } = await open({ web: { url: first.url, headers } });
    expect((await execute("web", "add", { a: 40, b: 2 })).text).toBe("42");
    await stop(first.http);
    expect(await execute("web", "add", { a: 1, b: 1 })).toMatchObject({ errorCode: "unavailable" });
    await serve(port);
    expect((await execute("web", "add", { a: 1, b: 1 })).text).toBe("2");
  });

  it("that wants another token fails with its status, without naming its address", async () => {
    const { url } = await serve();
    const { execute } = await open({ web: { url } });
    const { text, errorCode } = await execute("web", "add");
    expect(errorCode).toBe("unavailable");
    expect(text).toMatch(/401|cannot be reached/);
    expect(text).not.toContain("127.0.0.1");
  });
});

describe("the file of servers", () => {
  it.each([
    ["{", "is not JSON"],
    ["{}", "mcpServers"],
    ['{"mcpServers": {"a": {}}}', "mcpServers.a"],
    ['{"mcpServers": {"a": {"url": "ftp://x"}}}', "mcpServers.a"],
    ['{"mcpServers": {"a": {"command": "x", "args": "y"}}}', "mcpServers.a"],
  ])("%s is refused with what is wrong", async (content, message) => {
    const path = join(folder, "faulty.json");
    await writeFile(path, content);
    await expect(openConfiguredServers(path)).rejects.toThrow(message);
  });

  it("may name servers that are switched off", async () => {
    const { servers } = await open({ off: { command: "x", disabled: true } });
    expect(servers.count).toBe(0);
  });
});
