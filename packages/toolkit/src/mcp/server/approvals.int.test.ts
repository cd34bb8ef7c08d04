import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PermissionRule } from "@atoll/protocol";
import { connectClient, makeDataDir, textOf } from "./client.harness.ts";

let place: Awaited<ReturnType<typeof makeDataDir>>;
beforeAll(async () => {
  place = await makeDataDir();
});
afterAll(() => place.remove());

const rules: PermissionRule[] = [
  { tool: "execute_shell", permission: "ask" },
  { tool: "file_delete", permission: "deny" },
  { tool: "file_read", input: { file: "*.pem" }, permission: "ask" },
];

async function connectAsking(...answers: ElicitResult[]) {
  const asked: string[] = [];
  const decide = (message: string) => {
    asked.push(message);
    return answers[asked.length - 1] ?? { action: "cancel" as const };
  };
  const connected = await connectClient({ dataDir: place.dataDir, rules, decide });
  const shell = async (command: string) =>
    connected.client.callTool({ name: "execute_shell", arguments: { command } });
  return { connected, asked, shell };
}

const accept = (decision: string): ElicitResult => ({ action: "accept", content: { decision } });

describe("a rule that says to ask", () => {
  it("asks the client's user, and does what the answer says", async () => {
    const { connected, asked, shell } = await connectAsking(accept("allow"), accept("deny"), {
      action: "decline",
    });
    await using _ = connected;
    expect(textOf(await shell("echo 一"))).toBe("一");
    for (const command of ["echo 二", "echo 三"]) {
      const refused = await shell(command);
      expect(refused).toMatchObject({ isError: true });
      expect(textOf(refused)).toMatch(/did not allow/);
    }
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain('"command": "echo 一"');
  });

  it("asks once about a call that is always allowed, and again about another", async () => {
    const { connected, asked, shell } = await connectAsking(accept("allow_always"));
    await using _ = connected;
    expect(textOf(await shell("echo a"))).toBe("a");
    expect(textOf(await shell("echo a"))).toBe("a");
    expect(asked).toHaveLength(1);
    expect(await shell("echo b")).toMatchObject({ isError: true });
    expect(asked).toHaveLength(2);
  });

  it("asks about what a program in the sandbox calls, too", async () => {
    const { connected, asked } = await connectAsking(accept("allow"), accept("deny"));
    await using _ = connected;
    const code = `from tools import execute_shell, ToolError
print(execute_shell(command="echo from inside"))
try:
    execute_shell(command="echo never")
except ToolError as error:
    print("refused:", error)`;
    const text = textOf(await connected.client.callTool({ name: "execute_code", arguments: { code } }));
    expect(text).toMatch(/^from inside\nrefused: .*did not allow/);
    expect(asked).toHaveLength(2);
  });

  it("shows head and tail of a long call and how much it leaves out, and refuses what is too long to read", async () => {
    const { connected, asked, shell } = await connectAsking(accept("deny"), accept("allow"));
    await using _ = connected;
    await shell(`: ${"x".repeat(10_000)}\u202E; echo hidden part`);
    expect(asked[0]).toMatch(/too long to be shown in whole: \d+ characters are left out/);
    expect(asked[0]).toContain("\\u{202e}; echo hidden part");
    const refused = await shell(`: ${"x".repeat(200_000)}; echo ran`);
    expect(textOf(refused)).toMatch(/too long for anybody to read/);
    expect(asked).toHaveLength(1);
  });

  it("does not take an answer that says nothing for a yes", async () => {
    const { connected, shell } = await connectAsking({ action: "accept" }, accept("perhaps"));
    await using _ = connected;
    expect(await shell("echo a")).toMatchObject({ isError: true });
    expect(await shell("echo a")).toMatchObject({ isError: true });
  });

  it("refuses, and says why, when the client cannot ask", async () => {
    await using connected = await connectClient({ dataDir: place.dataDir, rules });
    const refused = await connected.client.callTool({ name: "shell_exec", arguments: { command: "echo" } });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toMatch(/MCP client cannot ask/);
  });

  it("keeps a file that file_read would ask about from the resources", async () => {
    await using connected = await connectClient({ dataDir: place.dataDir, rules });
    const { client, session } = connected;
    await session.sandbox.files.write("key.pem", "secret");
    await session.sandbox.files.write("open.txt", "open");
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(["open.txt"]);
    for (const uri of ["sandbox:///workspace/key.pem", "sandbox:///workspace/x/../key.pem"])
      await expect(client.readResource({ uri })).rejects.toThrow(/file_read can ask/);
  });

  it("never asks about what is denied", async () => {
    const { connected, asked } = await connectAsking(accept("allow"));
    await using _ = connected;
    const refused = await connected.client.callTool({ name: "file_delete", arguments: { path: "x" } });
    expect(textOf(refused)).toMatch(/A rule does not allow/);
    expect(asked).toEqual([]);
  });
});
