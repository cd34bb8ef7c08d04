import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  answer as say,
  createGate,
  finish,
  inChunks,
  reply,
  type Script,
  type ScriptedOpenAI,
  startScriptedOpenAI,
  text,
  toolCall,
  toolCalls,
  waitFor,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import { runEventSchemas, runOutcomeSchema } from "@atoll/protocol/schemas";
import type { AnswerRequest, Awake } from "../request.ts";
import { testRequest } from "./request.harness.ts";

let dataDir = "";
let sandbox: SandboxHandle;
let models: ScriptedOpenAI;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-loop-"));
  sandbox = await Sandbox.create({ dataDir });
});
afterAll(async () => {
  await sandbox.destroy();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});
beforeEach(async () => {
  models = await startScriptedOpenAI();
});
afterEach(async () => {
  await models.close();
  expect(models.left).toBe(0);
});

const awake = (): Awake => ({ sandbox: sandbox.restricted(), state: "new→hot (21ms)", wakeMs: 21 });

function prepare(scripts: readonly Script[], overrides: Partial<AnswerRequest> = {}) {
  models.script(...scripts);
  return testRequest(models.baseUrl, { wake: () => Promise.resolve(awake()), ...overrides });
}

async function ask(scripts: readonly Script[], overrides: Partial<AnswerRequest> = {}) {
  const test = prepare(scripts, overrides);
  const outcome = await answer(test.request);
  return { ...test, types: test.types, outcome, requests: models.requests };
}

const python = (code: string) => reply(toolCall("execute_python", { code }), finish("tool_calls"));

describe("the whole loop", () => {
  it("runs the model's code, shows what comes of it, and tells the model", async () => {
    const code =
      "import pandas as pd\nprint('für €')\npd.DataFrame({'city': ['Köln', 'Bonn'], 'sum': [3, 4]})";
    const { outcome, types, of, events, requests } = await ask([
      inChunks(5, reply(text("Let me look."), toolCall("execute_python", { code }), finish("tool_calls"))),
      say("Bonn leads."),
    ]);
    expect(types).toEqual([
      "token",
      "status",
      "tool_call",
      "output",
      "result",
      "code_run",
      "tool_result",
      "token",
      "token",
      "title",
    ]);
    for (const event of events) {
      const schema = runEventSchemas.find(({ shape }) => shape.type.value === event.type);
      expect(schema?.parse(event)).toEqual(event);
    }
    expect(of("status")).toEqual([{ type: "status", code: "writing_code", text: "Writing code" }]);
    expect(of("output")).toMatchObject([{ stream: "stdout", text: "für €\n" }]);
    expect(of("result")[0]).toMatchObject({
      is_main: true,
      table: {
        columns: [{ name: "city" }, { name: "sum" }],
        rows: [
          ["Köln", 3],
          ["Bonn", 4],
        ],
        total_rows: 2,
      },
    });
    expect(of("code_run")[0]).toMatchObject({ language: "python", code, status: "ok", exit_code: 0 });
    const told = requests[1]?.body.messages.at(-1)?.content;
    expect(told).toContain("für €");
    expect(told).toContain("Bonn");
    expect(of("tool_result")[0]?.output).toBe(told);

    runOutcomeSchema.parse(outcome);
    expect(outcome).toMatchObject({
      status: "completed",
      response: "Let me look.\n\nBonn leads.",
      container_state: "new→hot (21ms)",
      openai_calls: 2,
      code_runs: [{ code, status: "ok" }],
      usage: { input_tokens: 14, output_tokens: 6 },
    });
    const { sandbox_restore, exec_per_call, openai_total, exec_total, overhead } = outcome.timings_ms;
    expect(sandbox_restore).toBe(21);
    expect(exec_per_call).toEqual([outcome.code_runs[0]?.exec_ms]);
    expect(openai_total + exec_total + overhead).toBeLessThanOrEqual(outcome.total_ms + 0.5);
    expect(overhead).toBeGreaterThan(0);
  });

  it("wakes the sandbox beside the first model call, not after it", async () => {
    const gate = createGate();
    const woken = Promise.withResolvers<Awake>();
    let wakes = 0;
    const test = prepare(
      [
        reply(text("Hm."), waitFor(gate), toolCall("execute_python", { code: "1" }), finish("tool_calls")),
        say("1"),
      ],
      {
        wake: () => {
          wakes += 1;
          return woken.promise;
        },
      },
    );
    const running = answer(test.request);
    await test.until("token");
    expect(wakes).toBe(1);
    gate.open();
    await test.until("tool_call");
    woken.resolve(awake());
    expect(await running).toMatchObject({ status: "completed", container_state: "new→hot (21ms)" });
    expect(wakes).toBe(1);
  });

  it("keeps variables from run to run, and runs parallel calls one after the other in their order", async () => {
    const calls = toolCalls(
      { name: "execute_python", args: { code: "steps = ['first']" } },
      { name: "execute_shell", args: { command: "echo second > /workspace/step.txt" } },
      {
        name: "execute_python",
        args: { code: "steps.append(open('/workspace/step.txt').read().strip()); steps" },
      },
    );
    const { types, of, requests } = await ask([reply(calls, finish("tool_calls")), say("Done.")]);
    expect(types.filter((type) => type !== "output")).toEqual([
      "status",
      "tool_call",
      "tool_call",
      "tool_call",
      "code_run",
      "tool_result",
      "code_run",
      "tool_result",
      "result",
      "code_run",
      "tool_result",
      "token",
      "title",
    ]);
    expect(of("code_run").map((run) => run.language)).toEqual(["python", "shell", "python"]);
    const told = requests[1]?.body.messages
      .slice(-3)
      .map(({ tool_call_id, content }) => [tool_call_id, content]);
    expect(told).toEqual([
      ["call_0", "(no output)"],
      ["call_1", "(no output)"],
      ["call_2", "['first', 'second']"],
    ]);
  });

  it("tells the model of errors in its code, and goes on", async () => {
    const { outcome, of, requests } = await ask([python("1/0"), python("'mended'"), say("Mended.")]);
    expect(outcome.code_runs.map((run) => run.status)).toEqual(["error", "ok"]);
    expect(of("code_run")[0]?.error).toMatchObject({ name: "ZeroDivisionError" });
    expect(of("tool_result")[0]?.is_error).toBe(true);
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("ZeroDivisionError: division by zero");
  });

  it("gives figures an address and keeps base64 out of events; files become artifacts", async () => {
    const kept: string[] = [];
    const code =
      "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nopen('/session/artifacts/a.txt', 'w').write('hello')\nplt.show()";
    const { of, events, requests } = await ask([python(code), say("See above.")], {
      keepImage: ({ mime, base64 }) => {
        kept.push(base64);
        return `/images/${mime}`;
      },
      keepArtifact: async (inside, { path }) => `/files/${await inside.files.readText(path)}`,
    });
    expect(of("result").find((result) => result.image)?.image).toEqual({
      mime: "image/png",
      url: "/images/image/png",
    });
    expect(
      Buffer.from(kept[0] ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    expect(JSON.stringify(events)).not.toContain(kept[0]?.slice(0, 40));
    expect(of("artifact")).toMatchObject([
      {
        path: "/session/artifacts/a.txt",
        size_bytes: 5,
        change: "new",
        url: "/files/hello",
        mime: "text/plain",
      },
    ]);
    const messages = requests[1]?.body.messages ?? [];
    const told = messages.findLast(({ role }) => role === "tool")?.content;
    expect(told).toContain("A figure was shown to the user");
    expect(JSON.stringify(messages.at(-1)?.content)).toContain("data:image/png;base64,");
    expect(told).toContain("/session/artifacts/a.txt");
  });

  it("cuts long output for the model and leaves the whole of it in a file the model can read", async () => {
    const { of, requests } = await ask(
      [
        python("for i in range(5000): print('line', i)"),
        ({ body }) => {
          const path = /whole output is in (\S+):/.exec(body.messages.at(-1)?.content ?? "")?.[1];
          return reply(
            toolCall("file_read", { file: path, start_line: 2501, end_line: 2502 }),
            finish("tool_calls"),
          );
        },
        say("Found."),
      ],
      { limits: { maxToolOutputChars: 3000 } },
    );
    const told = requests[1]?.body.messages.at(-1)?.content ?? "";
    expect(told.length).toBeLessThan(3300);
    expect(told).toMatch(/^line 0\n/);
    expect(told).toMatch(/line 4999$/);
    expect(requests[2]?.body.messages.at(-1)?.content).toContain("2501\tline 2500\n2502\tline 2501");
    const printed = of("output").map((event) => event.text);
    expect(printed.join("")).toBe(Array.from({ length: 5000 }, (_, i) => `line ${i}\n`).join(""));
    expect(of("code_run")[0]?.output).toContain("line 2500\n");
  });

  it("bounds what endless printing can put into the log", async () => {
    const { of, outcome } = await ask([python("for i in range(1000): print('x' * 2000)"), say("Enough.")]);
    const chars = of("output").reduce((sum, event) => sum + event.text.length, 0);
    expect(chars).toBeGreaterThan(1_000_000);
    expect(chars).toBeLessThanOrEqual(1024 * 1024 + 200);
    expect(outcome.code_runs[0]).toMatchObject({ truncated: true, status: "ok" });
  });

  it("tells the model once what a restore brought back and lost, and says that it has", async () => {
    let told = 0;
    const { requests } = await ask([python("print(1)"), python("print(2)"), say("Done.")], {
      wake: () =>
        Promise.resolve({
          ...awake(),
          restore: {
            restored: ["rates"],
            lost: [{ name: "conn", type: "Connection", reason: "cannot be pickled" }],
          },
          markTold: () => (told += 1),
        }),
    });
    expect(told).toBe(1);
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("back: rates.");
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("conn (Connection: cannot be pickled)");
    expect(requests[2]?.body.messages.at(-1)?.content).toBe("2");
  });

  it("asks before each call when approvals are on, and runs only what was allowed", async () => {
    const asked: unknown[] = [];
    const { outcome, of } = await ask([python("open('/workspace/no', 'w')"), python("'yes'"), say("Done.")], {
      approve: (call) => {
        asked.push(call.input);
        return Promise.resolve({ decision: asked.length === 1 ? "deny" : "allow" });
      },
    });
    expect(asked).toEqual([{ code: "open('/workspace/no', 'w')" }, { code: "'yes'" }]);
    expect(outcome.code_runs.map((run) => run.code)).toEqual(["'yes'"]);
    expect(of("tool_result").map((result) => result.is_error)).toEqual([true, false]);
    expect(await sandbox.files.exists("/workspace/no")).toBe(false);
  });
});
