import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSession, type TestSession } from "../../tool-call.harness.ts";

let session: TestSession;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());

const call: TestSession["call"] = (...given) => session.call(...given);
const text: TestSession["text"] = (...given) => session.text(...given);

describe("execute_shell", () => {
  it("gives exit code and errors of a command, and ends it when its time is up", async () => {
    expect(await call("execute_shell", { command: "echo out; echo err >&2; exit 3" })).toEqual({
      text: "out\nerr\n[Exit code 3]",
      isError: true,
      data: { exit_code: 3, status: "error", stdout: "out\n", stderr: "err\n" },
    });
    const late = await call("shell_exec", { command: "echo begun; sleep 60", timeout: 0.3 });
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/begun[\s\S]*0.3 s/) });
    expect(session.reports.at(-1)).toMatchObject({ language: "shell", status: "timeout", output: "begun" });
  });

  it("is ended by a stop while it runs", async () => {
    const stop = new AbortController();
    const report = {
      codeStarted() {},
      output: () => stop.abort(),
      result() {},
      artifact() {},
      codeEnded() {},
    };
    const output = await call(
      "execute_shell",
      { command: "echo up; sleep 60" },
      { signal: stop.signal, report },
    );
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining("Stopped by the caller") });
  });

  it("keeps long output in a file and shows its ends", async () => {
    const cut = await text(
      "execute_shell",
      { command: "seq 1 5000" },
      { maxOutputChars: 500, callId: "long" },
    );
    expect(cut).toContain("/session/outputs/long.txt");
    expect(await session.sandbox.files.readText("/session/outputs/long.txt")).toContain("\n2500\n");
    const huge = await call("execute_shell", { command: "yes 数据 | head -c 5000000" });
    expect(huge.isError).toBe(false);
    expect(huge.text.length).toBeLessThan(11_000);
  });

  it("starts a command in the background, whose output any tool can read and which can be ended", async () => {
    const command = "echo up; echo wrong >&2; cat";
    const { text: said, data } = await call("execute_shell", { command, background: true }, { callId: "bg" });
    const { id, pid } = data as { id: string; pid: number };
    expect(said).toContain("/session/outputs/bg.log");
    expect(await text("shell_wait", { id, seconds: 60 })).toMatch(/up\nwrong\n\[.* ended with exit code 0/);
    expect(await text("file_read", { file: "/session/outputs/bg.log" })).toBe("1\tup\n2\twrong");
    expect(pid).toBeGreaterThan(1);
    const endless = await call("execute_shell", { command: "echo on; sleep 600", background: true });
    const other = endless.data as { id: string; pid: number };
    await text("shell_wait", { id: other.id, until: "on" });
    await text("execute_shell", { command: `kill -- -${other.pid}` });
    const { is_running } = (await call("shell_wait", { id: other.id, seconds: 60 })).data as {
      is_running: boolean;
    };
    expect(is_running).toBe(false);
  });
});

describe("shell_interactive", () => {
  it("talks with a program, across calls", async () => {
    const start = await call("shell_interactive", {
      action: "start",
      command: "python3 -q",
      until: ">>>",
      seconds: 60,
    });
    const { id } = start.data as { id: string };
    expect(start.text).toContain(">>>");
    await text("shell_write", { id, input: "x = '世界'", until: ">>>", seconds: 60 });
    const said = await text("shell_write", { id, input: "print(x * 2)", until: "世界世界", seconds: 60 });
    expect(said).not.toContain("x = '世界'");
    const whole = await call("shell_view", { id });
    expect(whole.text).toMatch(/x = '世界'[^]*世界世界/);
    const { since } = whole.data as { since: string };
    await text("shell_write", { id, input: "exit(3)", seconds: 60 });
    expect(await text("shell_wait", { id, since, seconds: 60 })).toMatch(/has ended with exit code 3/);
  });

  it("is a bash by default, interrupted by Ctrl-C and ended by kill", async () => {
    const { data } = await call("shell_interactive", { action: "start" });
    const { id } = data as { id: string };
    await text("shell_write", { id, input: "sleep 600; echo not-now" });
    await text("shell_write", { id, input: "\u0003" });
    await text("shell_write", { id, input: "echo a$((20 + 3))b", until: "a23b", seconds: 60 });
    expect(await text("shell_view", {})).toContain("a23b");
    expect(await text("shell_kill", { id })).toMatch(/has ended with exit code 137/);
    expect(await call("shell_view", { id: "nobody" })).toMatchObject({ errorCode: "not_found" });
    expect(await call("shell_view", { id, since: "soon" })).toMatchObject({ isError: true });
  });

  it("shows the end of long output", async () => {
    const started = await call("shell_interactive", { action: "start", command: "seq 1 30000", seconds: 60 });
    const { id } = started.data as { id: string };
    const output = await call("shell_wait", { id, seconds: 60 }, { maxOutputChars: 1000 });
    expect(output.text.length).toBeLessThan(1000);
    expect(output.text).toMatch(/^\[Earlier output is left out\.\][^]*29999\n30000\n/);
  });

  it("stops waiting when it is stopped", async () => {
    const { data } = await call("execute_shell", { command: "sleep 600", background: true });
    const { id } = data as { id: string };
    const stop = new AbortController();
    const waiting = call("shell_wait", { id, seconds: 600 }, { signal: stop.signal });
    stop.abort();
    expect(await waiting).toMatchObject({ errorCode: "aborted" });
    await text("shell_kill", { id });
  });
});

describe("processes", () => {
  it("are listed and ended, but for the sandbox's own", async () => {
    const { data } = await call("execute_shell", { command: "exec sleep 612", background: true });
    const { id } = data as { id: string };
    const find = async () => {
      const listed = (await call("process_list", {})).data as { pid: number; command: string }[];
      return listed.find(({ command }) => command === "sleep 612")?.pid;
    };
    let pid = await find();
    while (pid === undefined) pid = await find();
    await text("process_kill", { pid, signal: "SIGTERM" });
    expect(await text("shell_wait", { id, seconds: 60 })).toContain("exit code 143");
    expect(await call("process_kill", { pid: 1 })).toMatchObject({ errorCode: "permission_denied" });
    expect(await call("process_kill", { pid, signal: "SIGNOTHING" })).toMatchObject({ isError: true });
  });
});
