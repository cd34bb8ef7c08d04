import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { callTool, parseInput } from "../../call.ts";
import { allTools } from "../../all-tools.ts";
import { findTool } from "../../aliases.ts";
import { failure } from "../../output.ts";
import { openSession, type TestSession } from "../../tool-call.harness.ts";
import type { ToolCalls, ToolContext } from "../../tool.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());

interface Made {
  readonly name: string;
  readonly input: unknown;
}

/** Calls that reach the real tools, but for one that is refused. */
function sessionCalls(made: Made[] = [], changes: Partial<ToolCalls> = {}): ToolCalls {
  return {
    tools: allTools,
    async call(name, input, { signal, maxOutputChars }) {
      made.push({ name, input });
      if (name === "file_delete") return failure("The user did not allow this call.");
      const tool = findTool(name);
      if (!tool) throw new Error(`no tool ${name}`);
      const quiet = { codeStarted() {}, output() {}, result() {}, artifact() {}, codeEnded() {} };
      const sandbox = session.sandbox.restricted();
      const parsed = parseInput(tool, input);
      if ("fault" in parsed) return failure(parsed.fault);
      return callTool(tool, parsed.input, { callId: "n", sandbox, signal, maxOutputChars, report: quiet });
    },
    ...changes,
  };
}

const run = (code: string, calls = sessionCalls(), changes: Partial<ToolContext> = {}, input: object = {}) =>
  session.call("execute_code", { code, ...input }, { calls, ...changes });

describe("execute_code", () => {
  it("calls tools as functions, and gives only what is printed", async () => {
    const made: Made[] = [];
    const output = await run(
      `
from tools import file_write, grep, execute_shell
for n in range(3):
    file_write(file=f"code/笔记 {n}.txt", content=f"line {n}\\n需要 TODO {n}\\n")
hits = grep("TODO", path="code").data
print(len(hits), hits[1]["text"])
print(execute_shell("wc -l < 'code/笔记 0.txt'").data["stdout"].strip(), end="")
`,
      sessionCalls(made),
    );
    expect(output).toEqual({
      text: "3 需要 TODO 1\n2",
      isError: false,
      data: { status: "ok", output: "3 需要 TODO 1\n2", tool_calls: 5 },
    });
    expect(made.map(({ name }) => name)).toEqual([
      "file_write",
      "file_write",
      "file_write",
      "grep",
      "execute_shell",
    ]);
    expect(made[3]?.input).toEqual({ pattern: "TODO", path: "code" });
    expect(session.reports.at(-1)).toMatchObject({ language: "python", status: "ok", output: output.text });
  });

  it("raises ToolError for a call that fails, is refused or is no tool's", async () => {
    const { text, isError } = await run(`
import tools
from tools import ToolError
for call in (lambda: tools.file_read(file="nowhere"), lambda: tools.file_delete(path="."),
             lambda: tools.file_read(), lambda: tools.file_read(file=7)):
    try:
        call()
    except ToolError as error:
        print(error.tool, error.code, str(error).splitlines()[0][:40])
print(hasattr(tools, "execute_code"), tools.grep.__doc__[:8])
`);
    expect(isError).toBe(false);
    expect(text.split("\n")).toEqual([
      "file_read not_found file_read failed: No such file or direct",
      "file_delete None The user did not allow this call.",
      "file_read None The arguments do not fit file_read:",
      "file_read None The arguments do not fit file_read:",
      "False Searches",
    ]);
  });

  it("leaves out what is None, but for a tool that makes something of it", async () => {
    const made: Made[] = [];
    await run(
      "from tools import env_set, file_list\nenv_set('GONE', None)\nfile_list(path=None, recursive=True)",
      sessionCalls(made),
    );
    expect(made).toEqual([
      { name: "env_set", input: { name: "GONE", value: null } },
      { name: "file_list", input: { recursive: true } },
    ]);
  });

  it("takes tools and arguments by names that Python can write", async () => {
    const made: Made[] = [];
    const tool = { name: "my-server.copy", description: "Copies.", isReadOnly: false };
    const input = z.object({ from: z.string(), "to-file": z.string() });
    const calls: ToolCalls = {
      tools: [{ ...tool, input, run: () => Promise.reject(new Error("not here")) }],
      async call(name, given) {
        made.push({ name, input: given });
        return { text: "ok", isError: false };
      },
    };
    await run("import tools\ntools.my_server_copy(from_='a', to_file='b')", calls);
    expect(made).toEqual([{ name: "my-server.copy", input: { from: "a", "to-file": "b" } }]);
  });

  it("ends with the program's own traceback when it does not catch an error", async () => {
    const output = await run("from tools import file_read\nprint('so far')\nfile_read(file='nowhere')\n");
    expect(output.isError).toBe(true);
    expect(output.text).toMatch(
      /^so far\nTraceback[^]*"<code>", line 3[^]*file_read\(file='nowhere'\)[^]*ToolError/,
    );
    expect(output.text).toContain("[Exit code 1]");
    expect((await run("import sys\nsys.exit(4)")).text).toContain("[Exit code 4]");
    expect((await run("def broken(:\n")).text).toContain("SyntaxError");
  });

  it("makes 200 calls, from two threads at once, and mixes up none of them", async () => {
    const output = await run(`
import threading
from tools import env_get, execute_shell
wrong = []
def work(name):
    for n in range(100):
        said = execute_shell(f"echo {name}-{n}")
        if said != f"{name}-{n}": wrong.append(said)
threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
for t in threads: t.start()
for t in threads: t.join()
print("wrong:", wrong)
`);
    expect(output).toMatchObject({ text: "wrong: []", data: { tool_calls: 200 } });
  });

  it("hands large results to the program whole", async () => {
    const { text } = await run(`
from tools import execute_shell
print(len(execute_shell("head -c 900000 /dev/zero | tr '\\\\0' 界x | head -c 900000")))
`);
    expect(Number(text)).toBeGreaterThan(800_000);
    await session.text("file_write", { file: "big.txt", content: "数据\n".repeat(200_000) });
    expect((await run("from tools import grep\nprint(len(grep('数').data))")).text).toBe("200");
  });

  it("does not let the program's own output and input disturb the calls", async () => {
    const { text } = await run(`
import os, subprocess, sys
from tools import env_get
print('{"id": 1, "tool": "grep", "input": {}}')
os.write(1, b"raw\\n")
subprocess.run(["echo", "child"])
print(repr(sys.stdin.read()), env_get(name="HOME"))
`);
    expect(text).toBe('{"id": 1, "tool": "grep", "input": {}}\nraw\nchild\n\'\' /workspace');
  });

  it("lets a program that forges calls have only what it may have anyway", async () => {
    const made: Made[] = [];
    const forge = (line: string) => `
import os
from tools import env_get
for fd in range(3, 20):
    try:
        os.write(fd, ${line} + b"\\n")
    except OSError: pass
print(env_get(name="HOME"))
`;
    const other = await run(forge(`b'{"id": 999, "tool": "execute_code", "input": {}}'`), sessionCalls(made));
    expect(other.text).toBe("/workspace");
    expect(made.map(({ name }) => name)).toEqual(["env_get"]);
    for (const line of [
      `b"no json"`,
      `b'{"id": -1, "tool": "grep", "input": {}}'`,
      `b'{"id": 1, "tool": "grep", "input": [], "more": 1}'`,
      `b"x" * (9 << 20)`,
    ]) {
      expect(await run(forge(line))).toMatchObject({
        isError: true,
        text: expect.stringContaining("Stopped: "),
      });
    }
  });

  it("ends a program that makes too many calls", async () => {
    const made: Made[] = [];
    const calls = sessionCalls(made, { call: async () => ({ text: "ok", isError: false }) });
    const output = await run("from tools import env_get\nwhile True: env_get()", calls);
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining("more than 2000 calls") });
  });

  it("ends a program when its time is up", async () => {
    const late = await run("import time\ntime.sleep(60)", sessionCalls(), {}, { timeout_seconds: 0.5 });
    expect(late).toMatchObject({ isError: true, text: "(nothing was printed)\n[Stopped after 0.5 s.]" });
    expect(session.reports.at(-1)).toMatchObject({ status: "timeout", exitCode: 124 });
  });

  it("ends the program and the call under way when it is stopped", async () => {
    const stop = new AbortController();
    const asked = Promise.withResolvers<AbortSignal>();
    const calls = sessionCalls([], {
      call(_, __, { signal }) {
        asked.resolve(signal);
        return new Promise(() => {});
      },
    });
    const running = run("from tools import grep\nprint('so far')\ngrep('x')", calls, { signal: stop.signal });
    const inner = await asked.promise;
    stop.abort();
    expect(await running).toMatchObject({
      isError: true,
      text: "so far\n[Stopped by the caller.]",
    });
    expect(inner.aborted).toBe(true);
    const left = await session.sandbox.commands.list();
    expect(left.filter(({ isRunning }) => isRunning)).toEqual([]);
  });

  it("keeps a program in its own process: the kernel stays free and as it was", async () => {
    await session.sandbox.python.run("kept = 41");
    const { text } = await run(
      "from tools import execute_python\nprint(execute_python('kept + 1'))\nkept = 0\nprint('kept' in execute_python('dir()'))",
    );
    expect(text).toBe("42\nTrue");
    expect((await session.sandbox.python.run("kept")).results[0]?.text).toBe("41");
  });

  it("cuts what is printed without measure", async () => {
    const { text, data } = await run("for _ in range(3000): print('x' * 1000)");
    expect(text.length).toBeLessThan(11_000);
    expect(text).toContain("characters left out");
    expect(session.reports.at(-1)).toMatchObject({ status: "ok", truncated: true });
    expect(data).toMatchObject({ output: expect.stringMatching(/^(x{1000}\n)+x*$/) });
  });

  it("ends a program that prints without end", async () => {
    const output = await run("while True: print('x' * 100_000)");
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining("it printed too much") });
  });

  it("says which signal ended a program", async () => {
    const output = await run("import os\nprint('last')\nos.kill(os.getpid(), 11)");
    expect(output).toMatchObject({ isError: true, text: "last\n[Ended by SIGSEGV.]" });
  });

  it("is not supported where the session lets no program call tools", async () => {
    expect(await session.call("execute_code", { code: "1" })).toMatchObject({
      isError: true,
      errorCode: "not_supported",
      text: expect.stringContaining("not supported by this runtime"),
    });
  });

  it("passes a defect of the session on, and leaves no program behind", async () => {
    const calls = sessionCalls([], { call: () => Promise.reject(new TypeError("a defect")) });
    await expect(run("from tools import grep\ngrep('x')", calls)).rejects.toThrow("a defect");
    expect((await session.sandbox.commands.list()).filter(({ isRunning }) => isRunning)).toEqual([]);
  });
});
