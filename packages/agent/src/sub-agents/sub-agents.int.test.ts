import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sandbox, type SandboxHandle } from "@atoll/sandbox";
import { allTools, type SubAgentReport, type Tool } from "@atoll/toolkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  answer as say,
  failure,
  finish,
  reply,
  type Script,
  type ScriptedOpenAI,
  stall,
  startScriptedOpenAI,
  text,
  toolCall,
  usage,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import { testRequest } from "../loop/request.harness.ts";
import type { AnswerRequest } from "../request.ts";

let dataDir = "";
let sandbox: SandboxHandle;
let models: ScriptedOpenAI;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "atoll-sub-agents-"));
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

function prepare(scripts: readonly Script[], overrides: Partial<AnswerRequest> = {}) {
  models.script(...scripts);
  const wake = async () => ({ sandbox: sandbox.restricted(), state: "hot", wakeMs: 0 });
  return testRequest(models.baseUrl, { wake, ...overrides });
}

async function ask(scripts: readonly Script[], overrides: Partial<AnswerRequest> = {}) {
  const test = prepare(scripts, overrides);
  return { ...test, outcome: await answer(test.request) };
}

const call = (name: string, args: object) => reply(toolCall(name, args), finish("tool_calls"));
const task = (prompt: string, more: object = {}) => call("task", { description: "a task", prompt, ...more });

describe("an agent that does a task for another", () => {
  it("has its own conversation, the same sandbox, and gives back its last words alone", async () => {
    const { outcome, of } = await ask([
      task("Count the rows of x."),
      reply(
        text("First a look."),
        toolCall("execute_python", { code: "seen = 40 + 2; seen" }),
        finish("tool_calls"),
      ),
      reply(text("There are 42 rows."), usage(100, 10), finish("stop")),
      say("It is 42."),
    ]);
    const [first, second, , last] = models.requests.map(({ body }) => body);
    expect(second?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(second?.messages[1]?.content).toContain("Count the rows of x.");
    expect(JSON.stringify(second?.messages)).not.toContain(first?.messages[1]?.content);
    const names = second?.tools?.map((tool) => tool.function.name);
    expect(names).toContain("execute_python");
    expect(names).not.toContain("task");
    expect(last?.messages.at(-1)).toMatchObject({ role: "tool", content: "There are 42 rows." });
    expect(outcome).toMatchObject({ status: "completed", response: "It is 42.", openai_calls: 4 });
    expect(outcome.usage?.input_tokens).toBe(100 + 3 * 7);
    expect(outcome.code_runs).toMatchObject([{ code: "seen = 40 + 2; seen", output: "42" }]);
    expect((await sandbox.python.run("seen")).results[0]?.text).toBe("42");

    const [outer, inner] = of("tool_call");
    expect(inner).toMatchObject({ tool: "execute_python", agent: "task", parent_call_id: outer?.call_id });
    expect(of("tool_result")).toMatchObject([
      { tool: "execute_python", parent_call_id: outer?.call_id },
      { tool: "task", output: "There are 42 rows." },
    ]);
    expect(of("status")).toContainEqual({ type: "status", code: "writing_code", text: "task: Writing code" });
  });

  it("asks for approval under its own name", async () => {
    const asked: { agent: string; tool: string; parentCallId?: string }[] = [];
    const { of } = await ask(
      [task("x"), call("execute_shell", { command: "echo hi" }), say("No."), say("Well.")],
      {
        approve: async ({ agent, tool, parentCallId }) => {
          asked.push({ agent, tool, parentCallId });
          return agent === "task" ? { decision: "deny", by: "rule" } : { decision: "allow" };
        },
      },
    );
    const { call_id } = of("tool_call")[0] ?? {};
    expect(asked).toEqual([
      { agent: "main", tool: "task" },
      { agent: "task", tool: "execute_shell", parentCallId: call_id },
    ]);
    expect(models.requests[2]?.body.messages.at(-1)?.content).toBe("A rule does not allow this call.");
  });

  it("sums up when its steps are used up", async () => {
    await ask([
      task("x", { max_steps: 1 }),
      call("execute_python", { code: "1" }),
      say("Not finished."),
      say("Well."),
    ]);
    expect(models.requests[2]?.body.tool_choice).toBe("none");
    expect(models.requests[3]?.body.messages.at(-1)?.content).toBe("Not finished.");
  });

  it("tells the other agent when its model fails, and that one goes on", async () => {
    const { outcome } = await ask([task("x"), failure(401), say("I do it myself.")], {
      limits: { maxRetries: 0 },
    });
    expect(models.requests[2]?.body.messages.at(-1)?.content).toContain("The agent failed: ");
    expect(outcome).toMatchObject({ status: "completed", response: "I do it myself." });
  });

  it("stops with the run", async () => {
    const test = prepare([task("x"), reply(stall())]);
    const answering = answer(test.request);
    const { closed } = await models.received(2);
    test.stop();
    expect(await answering).toMatchObject({ status: "stopped" });
    expect(await closed).toEqual({ isComplete: false });
  });
});

describe("an agent that has to give an answer of a given form", () => {
  const answerSchema = {
    type: "object",
    properties: { city: { type: "string" }, count: { type: "integer" } },
    required: ["city", "count"],
  };
  const delegate = async (scripts: readonly Script[], schema: Record<string, unknown> = answerSchema) => {
    let report: SubAgentReport | undefined;
    const tool: Tool = {
      name: "delegate",
      description: "",
      input: z.object({}),
      isReadOnly: false,
      async run(_, { agents, signal, maxOutputChars }) {
        const order = {
          agent: "browser",
          role: "You look.",
          task: "Look.",
          maxSteps: 5,
          tools: ["grep"],
        } as const;
        report = await agents?.run({ ...order, answerSchema: schema }, { signal, maxOutputChars });
        return { text: report?.text ?? "", isError: report?.isError ?? true };
      },
    };
    const asked: string[] = [];
    const { outcome } = await ask([call("delegate", {}), ...scripts, say("Done.")], {
      approve: async ({ tool }) => {
        asked.push(tool);
        return { decision: "allow" };
      },
      tools: [tool, ...allTools],
    });
    expect(outcome.status).toBe("completed");
    expect(asked).toEqual(["delegate"]);
    return report;
  };

  it("hands it in by a tool, which ends its work", async () => {
    const report = await delegate([
      call("give_answer", { answer: { city: "Köln" } }),
      call("give_answer", { answer: { city: "Köln", count: 3 } }),
    ]);
    expect(models.requests[1]?.body.tools?.map((tool) => tool.function.name)).toEqual([
      "grep",
      "give_answer",
    ]);
    expect(models.requests[2]?.body.messages.at(-1)?.content).toContain("count");
    expect(report).toMatchObject({ isError: false, data: { city: "Köln", count: 3 }, steps: 2 });
  });

  it("may write it as JSON", async () => {
    const json = '{"city": "Bonn", "count": 1}';
    expect(await delegate([say(`Here:\n\`\`\`json\n${json}\n\`\`\``)])).toMatchObject({
      data: { city: "Bonn", count: 1 },
    });
  });

  it("is reminded twice, then fails", async () => {
    const report = await delegate([say("Köln has three."), say("As I said."), say("Köln!")]);
    expect(models.requests[2]?.body.messages.at(-1)?.content).toContain("Call give_answer");
    expect(report).toMatchObject({ isError: true, text: expect.stringContaining("no answer of the form") });
  });

  it("is not started with a form that makes no sense", async () => {
    expect(await delegate([], { type: "colour" })).toBeUndefined();
    expect(models.requests[1]?.body.messages.at(-1)?.content).toContain(
      "schema of the answer cannot be used",
    );
  });
});
