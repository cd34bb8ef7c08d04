import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AskedCall,
  allTools,
  findTool,
  judge,
  type PermissionRule,
  ruleFor,
  SandboxSession,
  type SandboxSessionOptions,
  type Tool,
} from "@atoll/toolkit";
import { toAiTools } from "@atoll/toolkit/ai-sdk";
import { createMcpServer } from "@atoll/toolkit/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const secret = "nobody reads this";
const rules: PermissionRule[] = [{ tool: "file_read", input: { file: "*secret*" }, permission: "deny" }];
/** Both names of one argument: the alias reads `path`, a careless judge `file`. */
const twoNames = { path: "secret.txt", file: "harmless.txt" };

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-rules-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));

async function openSession(options: SandboxSessionOptions = {}): Promise<SandboxSession> {
  const session = await SandboxSession.create({ dataDir, rules, ...options });
  await session.sandbox.files.write("secret.txt", secret);
  await session.sandbox.files.write("harmless.txt", "harmless");
  return session;
}

describe("a rule that denies a file", () => {
  it.each([
    ["read_file", twoNames],
    ["read_file", { file: "harmless.txt", path: "secret.txt" }],
    ["file_read", { file: "secret.txt", path: "harmless.txt" }],
    ["read_file", { path: "secret.txt" }],
  ])("holds for %s with %j in a session", async (name, input) => {
    await using session = await openSession();
    const output = await session.call(name, input);
    expect(output.isError).toBe(true);
    expect(output.text).not.toContain(secret);
  });

  it("holds for an alias that a LangChain agent calls with both names", async () => {
    await using session = await openSession();
    const [tool] = await session.getTools({ names: ["read_file"] });
    const call = { type: "tool_call" as const, id: "1", name: "read_file", args: twoNames };
    expect(JSON.stringify(await tool?.invoke(call))).not.toContain(secret);
  });

  it("holds for an alias that an AI SDK agent calls with both names", async () => {
    await using session = await openSession();
    const tool = toAiTools(session, { names: ["read_file"] })["read_file"];
    const options = { toolCallId: "1", messages: [], context: {} };
    expect(JSON.stringify(await tool?.execute?.(twoNames, options))).not.toContain(secret);
  });

  it("holds for an alias that an MCP client calls with both names", async () => {
    await using session = await openSession();
    const client = new Client({ name: "test", version: "1" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([createMcpServer(session).connect(far), client.connect(near)]);
    const result = await client.callTool({ name: "read_file", arguments: twoNames });
    expect(JSON.stringify(result)).not.toContain(secret);
    await client.close();
  });

  it("holds for an alias that a program in the sandbox calls with both names", async () => {
    const tools = [findTool("read_file"), findTool("execute_code")].flatMap((tool) => tool ?? []);
    await using session = await openSession({ tools });
    const code = `import tools
try:
    print(tools.read_file(path="secret.txt", file="harmless.txt"))
except (tools.ToolError, TypeError) as error:
    print("refused", error)`;
    const { text } = await session.call("execute_code", { code });
    expect(text).toContain("refused");
    expect(text).not.toContain(secret);
  });

  it.each<PermissionRule>([
    { tool: "read_file", input: { path: "*secret*" }, permission: "deny" },
    { tool: "read_*", permission: "deny" },
    { tool: "*", input: { path: "*secret*" }, permission: "deny" },
  ])("holds when it speaks of the tool by another name: %j", async (rule) => {
    await using session = await openSession({ rules: [rule] });
    for (const [name, input] of [
      ["file_read", { file: "secret.txt" }],
      ["read_file", { path: "secret.txt" }],
    ] as const)
      expect(await session.call(name, input)).toMatchObject({ isError: true });
  });
});

describe("arguments", () => {
  it("that a tool's schema does not know are refused", () => {
    const isRefused = (tool: Tool) =>
      tool.input.safeParse({ unheard_of: 1 }).error?.issues.some(({ code }) => code === "unrecognized_keys");
    const lax = allTools.filter((tool) => !isRefused(tool));
    expect(lax.map(({ name }) => name)).toEqual([]);
  });

  it("that an approver sees are the very object that runs", async () => {
    const seen: AskedCall[] = [];
    const ran: unknown[] = [];
    const kill = findTool("process_kill") as Tool;
    const tool: Tool = {
      ...kill,
      async run(given) {
        ran.push(given);
        return { text: "", isError: false };
      },
    };
    await using session = await openSession({
      tools: [tool],
      rules: [{ tool: "process_kill", permission: "ask" }],
      async approve(call) {
        seen.push(call);
        return { decision: "allow" };
      },
    });
    await session.call("process_kill", { pid: 5 });
    expect(seen[0]?.input).toEqual({ pid: 5, signal: "SIGKILL" });
    expect(ran[0]).toBe(seen[0]?.input);
  });

  it("that were left out do not hide what a rule denies", async () => {
    await using session = await openSession({
      rules: [{ tool: "http_request", input: { method: "POST" }, permission: "deny" }],
    });
    const output = await session.call("http_request", { url: "http://127.0.0.1:9/", body: "x" });
    expect(output.text).toContain("A rule does not allow");
  });
});

describe('"always allow this very call"', () => {
  const main = (tool: string, input: unknown) => ({ agent: "main", tool, input });
  const denyAll: PermissionRule = { tool: "*", permission: "deny" };

  it.each([
    ["http_request", { url: "http://a.test/" }, { url: "http://a.test/", method: "DELETE" }],
    ["http_request", { url: "http://a.test/" }, { url: "http://a.test/", save_to: "/workspace/x.py" }],
    ["mcp_execute", { server: "s", tool: "t" }, { server: "s", tool: "t", arguments: { all: true } }],
    ["file_read", { file: "a" }, { file: "a", start_line: 2 }],
    ["http_request", { url: "http://a.test/", body: { a: 1 } }, { url: "http://a.test/", body: '{"a":1}' }],
    ["file_list", {}, { path: "/" }],
    ["read_file", { path: "a" }, { path: "a", encoding: "base64" }],
  ])("of %s with %j does not allow %j", (tool, shown, other) => {
    const always = [denyAll, ruleFor(main(tool, shown), "allow")];
    expect(judge(always, main(tool, shown))).toBe("allow");
    expect(judge(always, main(tool, other))).toBe("deny");
  });
});
