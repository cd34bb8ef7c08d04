import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  answer as say,
  finish,
  reply,
  type Script,
  type ScriptedOpenAI,
  startScriptedOpenAI,
  toolCall,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import type { AnswerRequest, Awake } from "../request.ts";
import { testRequest } from "./request.harness.ts";

let dataDir = "";
let sandbox: SandboxHandle;
let models: ScriptedOpenAI;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-breaks-"));
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

describe("a stop while code runs", () => {
  it("ends the code at once and keeps what it printed", async () => {
    const test = prepare([python("import time\nprint('begun', flush=True)\ntime.sleep(600)")]);
    const running = answer(test.request);
    expect((await test.until("output")).text).toContain("begun");
    test.stop();
    const outcome = await running;
    expect(outcome).toMatchObject({ status: "stopped", code_runs: [{ status: "killed" }] });
    expect(test.of("code_run")[0]?.output).toContain("begun");
    expect((await sandbox.python.run("'free again'")).results[0]?.text).toBe("'free again'");
  });

  it("does not wait for code that will not be interrupted", async () => {
    const stubborn =
      "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('begun', flush=True)\nwhile True: pass";
    const test = prepare([python(stubborn)]);
    const running = answer(test.request);
    await test.until("output");
    test.stop();
    expect(await running).toMatchObject({ status: "stopped", code_runs: [{ status: "killed" }] });
    const count = test.events.length;
    expect((await sandbox.python.run("1 + 1")).results[0]?.text).toBe("2");
    expect(test.events).toHaveLength(count);
  });
});

describe("a sandbox that dies in mid-run", () => {
  it("is woken anew for the next call", async () => {
    const doomed = await Sandbox.create({ dataDir });
    let wakes = 0;
    const { outcome, requests } = await ask([python("print(1)"), python("print(2)"), say("Done.")], {
      wake: async () => {
        wakes += 1;
        if (wakes > 1) return awake();
        await doomed.destroy();
        return { ...awake(), sandbox: doomed.restricted() };
      },
    });
    expect(outcome).toMatchObject({ status: "completed", response: "Done." });
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("starts anew");
    expect(requests[2]?.body.messages.at(-1)?.content).toBe("2");
  });
});
