import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { runOutcomeSchema } from "@atoll/protocol/schemas";
import type { AnswerRequest } from "../request.ts";
import { testRequest } from "../loop/request.harness.ts";

let dataDir = "";
let sandbox: SandboxHandle;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-code-"));
  sandbox = await Sandbox.create({ dataDir });
});
afterAll(async () => {
  await sandbox.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

const run = (message: string, overrides: Partial<AnswerRequest> = {}) => {
  const test = testRequest("http://unused", {
    model: { kind: "user", language: "python" },
    message,
    wake: () => Promise.resolve({ sandbox: sandbox.restricted(), state: "hot", wakeMs: 2 }),
    approve: () => Promise.reject(new Error("nobody is to be asked")),
    ...overrides,
  });
  return { test, outcome: answer(test.request) };
};

describe("code that the user runs", () => {
  it("has the events of a model's call, in the thread's own kernel, and nobody is asked", async () => {
    const { test, outcome } = run("# first\nx = 6\nprint('p')\nx * 7");
    expect(runOutcomeSchema.parse(await outcome)).toMatchObject({
      status: "completed",
      model: "you",
      response: "",
      openai_calls: 0,
      code_runs: [{ language: "python", status: "ok", code: "# first\nx = 6\nprint('p')\nx * 7" }],
    });
    expect(test.types).toEqual(["tool_call", "output", "result", "code_run", "tool_result", "title"]);
    expect(test.of("result")[0]).toMatchObject({ text: "42", is_main: true });
    expect(test.of("title")[0]?.title).toBe("x = 6");
    const { test: later, outcome: second } = run("x + 1", {
      history: [{ user: "", status: "completed", parts: [] }],
    });
    await second;
    expect([later.of("result")[0]?.text, later.of("title")]).toEqual(["7", []]);
  });

  it("may be for the shell", async () => {
    const { test, outcome } = run("echo hi; exit 3", { model: { kind: "user", language: "shell" } });
    expect((await outcome).code_runs).toMatchObject([{ language: "shell", exit_code: 3, status: "error" }]);
    expect(test.of("tool_call")[0]).toMatchObject({
      tool: "execute_shell",
      input: { command: "echo hi; exit 3" },
    });
    expect(test.of("output")[0]?.text).toBe("hi\n");
  });

  it("that fails is an answer, with its error", async () => {
    const { test, outcome } = run("1 / 0");
    expect(await outcome).toMatchObject({
      status: "completed",
      code_runs: [{ error: { name: "ZeroDivisionError" } }],
    });
    expect(test.of("error")).toEqual([]);
  });

  it("is stopped with the run", async () => {
    const { test, outcome } = run("print('on', flush=True)\nwhile True: pass");
    await test.until("output");
    test.stop();
    expect(await outcome).toMatchObject({ status: "stopped", code_runs: [{ status: "killed" }] });
  });

  it("without a sandbox fails with what is missing", async () => {
    const { test, outcome } = run("1", { wake: testRequest("http://unused").request.wake });
    expect((await outcome).status).toBe("failed");
    expect(test.of("error")).toMatchObject([{ code: "sandbox_unavailable" }]);
  });
});
