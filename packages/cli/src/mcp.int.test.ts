import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Sandbox } from "@atoll/sandbox";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const main = join(import.meta.dirname, "main.ts");
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atoll-cli-mcp-"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

const environment = () => ({ ATOLL_DATA_DIR: join(folder, "data") });

async function connect(args: string[], capabilities: object = {}) {
  const env = { ...process.env, ...environment() };
  const child = spawn(process.execPath, [main, "mcp", ...args], { env, cwd: folder });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => void (errors += chunk.toString()));
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  await client.connect(openPipe(child));
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content } = await client.callTool({ name, arguments: input });
    return (content as { text?: string }[]).flatMap((part) => part.text ?? []).join("\n");
  };
  return { client, call, readErrors: () => errors };
}

/** Waits for the program's own end, where the SDK's transport kills it after a while. */
function openPipe(child: ChildProcessWithoutNullStreams): Transport {
  const received = new ReadBuffer();
  const exited = once(child, "exit");
  const transport: Transport = {
    async start() {
      child.stdout.on("data", (chunk: Buffer) => {
        received.append(chunk);
        for (let message = received.readMessage(); message; message = received.readMessage())
          transport.onmessage?.(message);
      });
    },
    async send(message) {
      child.stdin.write(serializeMessage(message));
    },
    async close() {
      child.stdin.end();
      await exited;
      transport.onclose?.();
    },
  };
  return transport;
}

describe("atoll mcp", () => {
  it("gives a client a sandbox with data, tools and files", async () => {
    await writeFile(join(folder, "销售.csv"), "金额\n3\n4\n");
    const args = ["mcp", "--data", "销售.csv", "--tools", "execute_python,file_list"];
    const client = new Client({ name: "test", version: "1" });
    const command = { command: process.execPath, args: [main, ...args], cwd: folder, env: environment() };
    await client.connect(new StdioClientTransport(command));
    onTestFinished(() => client.close());
    const run = async (code: string) =>
      (await client.callTool({ name: "execute_python", arguments: { code } })).content;
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["execute_python", "file_list"]);
    const code = "import pandas as pd; print('总', pd.read_csv('/data/销售.csv').金额.sum())";
    expect(await run(code)).toMatchObject([{ text: "总 7" }]);
    await run("open('out.txt', 'w').write('完')");
    const { contents } = await client.readResource({ uri: "sandbox:///workspace/out.txt" });
    expect(contents).toMatchObject([{ text: "完" }]);
  });

  it("keeps files and variables of a named session, and leaves nothing running", async () => {
    const first = await connect(["--session", "memo"]);
    await first.call("execute_python", { code: "x = [1, 2]; open('f', 'w').write('1')" });
    await first.call("execute_shell", { command: "sleep 7654", background: true });
    await first.client.close();
    const left = await Sandbox.list({ dataDir: environment().ATOLL_DATA_DIR });
    expect(left.filter(({ state }) => state !== "dead")).toEqual([]);
    const second = await connect(["--session", "memo"]);
    expect(await second.call("execute_python", { code: "print(x, open('f').read())" })).toBe("[1, 2] 1");
  });

  it("ends with its input, within the time that clients give it, and removes an unnamed sandbox", async () => {
    const child = spawn(process.execPath, [main, "mcp"], { env: { ...process.env, ...environment() } });
    const startedAt = new Date().toISOString();
    child.stdin.end();
    const ended = once(child, "close");
    const [stdout] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(await ended).toEqual([0, null]);
    expect(stdout).toBe("");
    const left = await Sandbox.list({ dataDir: environment().ATOLL_DATA_DIR });
    expect(left.filter(({ info }) => info.createdAt > startedAt)).toEqual([]);
  });

  it("answers a message of more than 10 MiB with an error, and keeps serving", async () => {
    const { client, call } = await connect(["--tools", "execute_python"]);
    const code = `# ${"x".repeat(11 * 1024 * 1024)}`;
    await expect(call("execute_python", { code })).rejects.toThrow(/longer than 10485760 bytes/);
    expect((await client.listTools()).tools).toHaveLength(1);
  });

  it("asks the client about what its rules say", async () => {
    const rules = [{ tool: "execute_shell", permission: "ask" }];
    await writeFile(join(folder, "rules.json"), JSON.stringify(rules));
    const asking = await connect(["--rules", "rules.json"], { elicitation: {} });
    asking.client.setRequestHandler(ElicitRequestSchema, () => ({
      action: "accept",
      content: { decision: "allow" },
    }));
    expect(await asking.call("execute_shell", { command: "echo 可以" })).toBe("可以");
    const mute = await connect(["--rules", "rules.json"]);
    expect(await mute.call("execute_shell", { command: "echo 可以" })).toMatch(/cannot ask its user/);
  });

  it("reaches the servers of a file with its tools", async () => {
    const inner = { command: process.execPath, args: [main, "mcp"], env: environment() };
    await writeFile(join(folder, "servers.json"), JSON.stringify({ mcpServers: { inner } }));
    const tools = "mcp_list_servers,mcp_list_tools,mcp_execute";
    const { call } = await connect(["--mcp-servers", "servers.json", "--tools", tools]);
    expect(await call("mcp_list_servers", {})).toBe("inner");
    expect(await call("mcp_list_tools", { server: "inner", query: "notebook" })).toMatch(/^execute_python\n/);
    const input = { server: "inner", tool: "execute_python", arguments: { code: "print('里')" } };
    expect(await call("mcp_execute", input)).toBe("里");
  });

  it("says on standard error, and in every call, why there is no sandbox", async () => {
    const { call, readErrors } = await connect(["--data", "missing.csv"]);
    expect(await call("execute_python", { code: "1" })).toMatch(/there is nothing at/);
    expect(readErrors()).toMatch(/^atoll: .*there is nothing at/);
  });

  it.each([
    [["--nonsense"], 2, "Unknown option '--nonsense'"],
    [["--tools", "rm_rf"], 1, 'there is no tool "rm_rf"'],
    [["--rules", "nowhere.json"], 1, "cannot read the rules"],
    [["--mcp-servers", "nowhere.json"], 1, "cannot read the file of MCP servers"],
  ])("refuses %j with a sentence and no stack", async (args, code, message) => {
    const child = spawn(process.execPath, [main, "mcp", ...args], {
      env: { ...process.env, ...environment() },
      cwd: folder,
    });
    const ended = once(child, "close");
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ code: (await ended)[0], stdout }).toEqual({ code, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
