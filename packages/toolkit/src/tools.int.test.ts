import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callTool } from "./call.ts";
import { sandboxTools } from "./sandbox-tools.ts";
import type { CodeReport, ToolOutput } from "./tool.ts";

let dataDir = "";
let sandbox: SandboxHandle;
const reports: CodeReport[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-tools-"));
  sandbox = await Sandbox.create({ dataDir });
}, 30_000);
afterAll(async () => {
  await sandbox.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function call(name: string, input: unknown, maxOutputChars = 10_000): Promise<ToolOutput> {
  const tool = sandboxTools.find((known) => known.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return callTool(tool, input, {
    callId: "c1",
    sandbox: sandbox.restricted(),
    signal: new AbortController().signal,
    maxOutputChars,
    report: {
      codeStarted() {},
      output() {},
      result() {},
      artifact() {},
      codeEnded: (report) => void reports.push(report),
    },
  });
}

describe("the tools of a sandbox", () => {
  it("each have a name, a text for the model and a schema that describes its fields", () => {
    expect(new Set(sandboxTools.map((tool) => tool.name)).size).toBe(sandboxTools.length);
    for (const tool of sandboxTools) expect(tool.description.length).toBeGreaterThan(40);
  });

  it("write, read, edit, list, search and delete files", async () => {
    expect(await call("file_write", { file: "notes/a.txt", content: "one\ntwo\n" })).toEqual({
      text: "Wrote /workspace/notes/a.txt (8 bytes).",
      isError: false,
    });
    await call("file_write", { file: "notes/a.txt", content: "three\n", append: true });
    expect((await call("file_read", { file: "notes/a.txt" })).text).toBe("1\tone\n2\ttwo\n3\tthree");
    expect((await call("file_read", { file: "notes/a.txt", start_line: 2, end_line: 2 })).text).toBe(
      "2\ttwo\n[More lines follow. Go on with start_line=3.]",
    );
    await call("file_edit", { file: "notes/a.txt", old_str: "two\n", new_str: "2 $& \n" });
    expect(await sandbox.files.readText("notes/a.txt")).toBe("one\n2 $& \nthree\n");
    expect((await call("file_list", { path: "notes" })).text).toBe("/workspace/notes/a.txt (16 bytes)");
    expect((await call("grep", { pattern: "^TH", case_insensitive: true, context: 1 })).text).toBe(
      "/workspace/notes/a.txt-2-2 $& \n/workspace/notes/a.txt:3:three\n--",
    );
    expect((await call("file_delete", { path: "notes" })).text).toBe("Deleted /workspace/notes.");
    expect(await sandbox.files.exists("notes")).toBe(false);
  });

  it("refuse an edit that does not say which text is meant", async () => {
    await call("file_write", { file: "b.txt", content: "x x" });
    expect(await call("file_edit", { file: "b.txt", old_str: "x", new_str: "y" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("2 times"),
    });
    expect(await call("file_edit", { file: "b.txt", old_str: "z", new_str: "y" })).toMatchObject({
      isError: true,
    });
    expect(await sandbox.files.readText("b.txt")).toBe("x x");
    await call("file_edit", { file: "b.txt", old_str: "x", new_str: "y", replace_all: true });
    expect(await sandbox.files.readText("b.txt")).toBe("y y");
  });

  it("keep the mode of an edited file", async () => {
    await sandbox.files.write("run.sh", "echo one", { mode: 0o755 });
    await call("file_edit", { file: "run.sh", old_str: "one", new_str: "two" });
    expect((await call("execute_shell", { command: "./run.sh" })).text).toBe("two");
  });

  it("hide dot files of a listing until asked", async () => {
    await call("file_write", { file: "dots/.hidden/x", content: "" });
    await call("file_write", { file: "dots/seen", content: "" });
    expect((await call("file_list", { path: "/workspace/dots", recursive: true })).text).toBe(
      "/workspace/dots/seen (0 bytes)",
    );
    const all = await call("file_list", { path: "/workspace/dots", recursive: true, show_hidden: true });
    expect(all.text).toContain("/workspace/dots/.hidden/x");
  });

  it("tell the model of what is not there or may not be done", async () => {
    expect(await call("file_read", { file: "nowhere.txt" })).toMatchObject({
      isError: true,
      errorCode: "not_found",
    });
    expect(await call("file_write", { file: "/etc/passwd", content: "x" })).toMatchObject({ isError: true });
    expect(await call("file_delete", { path: "nowhere.txt" })).toMatchObject({ isError: true });
    expect(await call("file_read", { path: "b.txt" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("file"),
    });
  });

  it("give exit code and errors of a command, and end it when its time is up", async () => {
    expect(await call("execute_shell", { command: "echo out; echo err >&2; exit 3" })).toEqual({
      text: "out\nerr\n[Exit code 3]",
      isError: true,
    });
    const late = await call("execute_shell", { command: "echo begun; sleep 60", timeout_seconds: 0.3 });
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/begun[\s\S]*0.3 s/) });
    expect(reports.at(-1)).toMatchObject({ language: "shell", status: "timeout", output: "begun" });
  });

  it("end Python when its time is up, with what it printed", async () => {
    const late = await call("execute_python", {
      code: "import time\nprint('begun', flush=True)\ntime.sleep(60)",
      timeout_seconds: 0.3,
    });
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/begun[\s\S]*0.3 s/) });
    expect(reports.at(-1)).toMatchObject({ language: "python", status: "timeout" });
  });

  it("cut long output: a run's is kept in a file, a reading one asks for less", async () => {
    const cut = await call("execute_shell", { command: "seq 1 5000" }, 500);
    expect(cut.text).toContain("/session/outputs/c1.txt");
    expect(await sandbox.files.readText("/session/outputs/c1.txt")).toContain("\n2500\n");
    await call("file_write", { file: "long.txt", content: "word ".repeat(1000) });
    const read = await call("file_read", { file: "long.txt" }, 500);
    expect(read.text).toContain("ask for a smaller part");
  });
});
