import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executeCode } from "../tools/code/execute-code.ts";
import { fileRead } from "../tools/files/file-read.ts";
import { fileWrite } from "../tools/files/file-write.ts";
import { executeShell } from "../tools/shell/execute-shell.ts";
import type { AskedCall } from "../permissions/permit-call.ts";
import { openToolSession, type ToolSessionOptions } from "./tool-session.ts";

let dataDir = "";
let sandbox: SandboxHandle;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-session-"));
  sandbox = await Sandbox.create({ dataDir });
});
afterAll(async () => {
  await sandbox.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const open = (options: ToolSessionOptions = {}) => openToolSession(sandbox.restricted(), options);
const echo = { command: "echo ran" };
const askFirst = [{ tool: "execute_shell", permission: "ask" }] as const;

describe("a session of tools", () => {
  it("runs a tool by any of its names, and knows only its own tools", async () => {
    const session = open({ tools: [executeShell] });
    expect(await session.call("execute_shell", echo)).toMatchObject({ text: "ran", isError: false });
    expect(await session.call("shell_exec", echo)).toMatchObject({ text: "ran" });
    expect(await session.call("file_read", { file: "x" })).toMatchObject({
      isError: true,
      text: 'There is no tool "file_read".',
    });
  });

  it("refuses what a rule denies, whatever the tool is called by, and before it runs", async () => {
    const session = open({
      rules: [{ tool: "execute_shell", input: { command: "*made*" }, permission: "deny" }],
    });
    for (const name of ["execute_shell", "shell_exec"])
      expect(await session.call(name, { command: "touch made" })).toMatchObject({
        isError: true,
        text: expect.stringContaining("A rule does not allow"),
      });
    expect(await sandbox.files.exists("made")).toBe(false);
    expect(await session.call("execute_shell", { command: "touch other" })).toMatchObject({ isError: false });
  });

  it("refuses a call that needs approval if it cannot ask", async () => {
    const session = open({ rules: askFirst });
    expect(session.needsApproval?.("shell_exec", echo)).toBe(true);
    expect(session.needsApproval?.("file_read", { file: "x" })).toBe(false);
    expect(await session.call("execute_shell", echo)).toMatchObject({
      isError: true,
      text: expect.stringContaining("needs an approval"),
    });
  });

  it("takes the word of a caller who has asked, but not against a rule that denies", async () => {
    const session = open({ rules: [...askFirst, { tool: "file_write", permission: "deny" }] });
    expect(await session.call("execute_shell", echo, { isApproved: true })).toMatchObject({ text: "ran" });
    const input = { file: "x", content: "x" };
    expect(await session.call("file_write", input, { isApproved: true })).toMatchObject({ isError: true });
  });

  it("asks with the whole call, and obeys the decision", async () => {
    const asked: AskedCall[] = [];
    const session = open({
      rules: askFirst,
      agent: "helper",
      approve: async (call) => {
        asked.push(call);
        return asked.length === 1 ? { decision: "allow" } : { decision: "deny", reason: "not now" };
      },
    });
    expect(session.needsApproval?.("execute_shell", echo)).toBe(false);
    expect(await session.call("execute_shell", echo)).toMatchObject({ text: "ran" });
    expect(await session.call("execute_shell", echo)).toMatchObject({
      isError: true,
      text: "The user did not allow this call: not now",
    });
    expect(asked[0]).toMatchObject({ agent: "helper", tool: "execute_shell", input: echo });
    expect(asked[0]?.callId).not.toBe(asked[1]?.callId);
  });

  it("asks about nothing whose arguments do not fit", async () => {
    const session = open({ rules: askFirst, approve: () => Promise.reject(new Error("asked")) });
    expect(await session.call("execute_shell", { command: 1 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("do not fit execute_shell"),
    });
  });

  it("runs arguments that the user has changed, unless they do not fit or a rule denies them", async () => {
    const withInput = (input: unknown) =>
      open({
        rules: [...askFirst, { tool: "execute_shell", input: { command: "rm*" }, permission: "deny" }],
        approve: async () => ({ decision: "allow", input }),
      }).call("execute_shell", echo);
    expect(await withInput({ command: "echo changed" })).toMatchObject({ text: "changed", isError: false });
    expect(await withInput({ command: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining("do not fit execute_shell"),
    });
    expect(await withInput({ command: "rm -rf ." })).toMatchObject({
      isError: true,
      text: expect.stringContaining("A rule does not allow"),
    });
  });

  it("stops waiting for an approval when the caller gives up", async () => {
    const giveUp = new AbortController();
    const session = open({
      rules: askFirst,
      approve: () => {
        giveUp.abort();
        return new Promise(() => {});
      },
    });
    expect(await session.call("execute_shell", echo, { signal: giveUp.signal })).toMatchObject({
      isError: true,
      errorCode: "aborted",
    });
  });

  it("ends a command when the caller gives up", async () => {
    const giveUp = new AbortController();
    const output = open().call(
      "execute_shell",
      { command: "echo started; sleep 100" },
      { signal: giveUp.signal, report: { output: () => giveUp.abort() } },
    );
    expect(await output).toMatchObject({ isError: true });
  });

  it("lets what an approver throws reach the caller, as frameworks that pause want it", async () => {
    const pause = new Error("pause here");
    const session = open({ rules: askFirst, approve: () => Promise.reject(pause) });
    await expect(session.call("execute_shell", echo)).rejects.toBe(pause);
  });

  it("puts the calls of a program through the same rules", async () => {
    const asked: string[] = [];
    const session = open({
      tools: [executeCode, executeShell, fileRead, fileWrite],
      rules: [
        { tool: "file_write", permission: "deny" },
        { tool: "execute_shell", permission: "ask" },
      ],
      approve: async ({ tool }) => {
        asked.push(tool);
        return { decision: "allow" };
      },
    });
    const code = `
from tools import execute_shell, file_write, ToolError
print(execute_shell(command="echo inside"))
try:
    file_write(file="denied.txt", content="x")
except ToolError as error:
    print("refused:", error)
`;
    expect(await session.call("execute_code", { code }, { isApproved: true })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^inside\nrefused: A rule does not allow/),
    });
    expect(asked).toEqual(["execute_shell"]);
    expect(await sandbox.files.exists("denied.txt")).toBe(false);
  });
});
