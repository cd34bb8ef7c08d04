import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answer as say,
  failure,
  finish,
  inChunks,
  reply,
  type Script,
  type ScriptedOpenAI,
  startScriptedOpenAI,
  text,
  thought,
  toolCall,
  toolCalls,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import type { AnswerRequest, Steering } from "../request.ts";
import { testRequest } from "./request.harness.ts";

let models: ScriptedOpenAI;
beforeEach(async () => {
  models = await startScriptedOpenAI();
});
afterEach(async () => {
  await models.close();
  expect(models.left).toBe(0);
});

async function ask(scripts: readonly Script[], overrides: Partial<AnswerRequest> = {}) {
  models.script(...scripts);
  const test = testRequest(models.baseUrl, overrides);
  const outcome = await answer(test.request);
  return { ...test, types: test.types, outcome, requests: models.requests };
}

const callPython = (args: unknown) => reply(toolCall("execute_python", args), finish("tool_calls"));

describe("a call that cannot run", () => {
  it("goes back to the model when there is no such tool", async () => {
    const { outcome, types, of, requests } = await ask([
      reply(
        text("Let me see."),
        toolCall("launch_rocket", { to: "the moon" }, { id: "abc" }),
        finish("tool_calls"),
      ),
      say("I cannot."),
    ]);
    expect(outcome).toMatchObject({ status: "completed", response: "Let me see.\n\nI cannot." });
    expect(types).toEqual(["token", "status", "tool_call", "tool_result", "token", "token", "title"]);
    expect(of("tool_call")[0]).toMatchObject({ tool: "launch_rocket", input: { to: "the moon" } });
    const [assistant, tool] = requests[1]?.body.messages.slice(-2) ?? [];
    expect(assistant).toMatchObject({
      content: "Let me see.",
      tool_calls: [{ id: "abc", function: { name: "launch_rocket", arguments: '{"to":"the moon"}' } }],
    });
    expect(tool).toMatchObject({ role: "tool", tool_call_id: "abc" });
    expect(tool?.content).toContain("There are: execute_python, execute_shell");
  });

  it.each([
    ["lack what is needed", {}, "code"],
    ["are of the wrong type", { code: 5 }, "expected string"],
    ["are not JSON", '{"code": "print(1', "not valid JSON"],
    ["are no object", "[1, 2]", "expected object"],
  ])(
    "goes back to the model when its arguments %s, and nobody is asked to allow it",
    async (_, args, said) => {
      const { outcome, of, requests } = await ask([callPython(args), say("Sorry.")], {
        approve: () => Promise.reject(new Error("must not be asked")),
      });
      expect(outcome).toMatchObject({ status: "completed", response: "Sorry.", code_runs: [] });
      expect(of("tool_result")).toMatchObject([{ is_error: true, output: expect.stringContaining(said) }]);
      expect(requests[1]?.body.messages.at(-1)?.content).toContain(said);
    },
  );

  it("goes back to the model with the reason when the user denies it", async () => {
    const { outcome, of, requests } = await ask([callPython({ code: "1" }), say("As you wish.")], {
      approve: (call) =>
        Promise.resolve({
          decision: "deny",
          reason: `no ${call.tool} of ${JSON.stringify(call.input)} today`,
        }),
    });
    expect(outcome).toMatchObject({ status: "completed", code_runs: [] });
    expect(of("code_run")).toEqual([]);
    expect(requests[1]?.body.messages.at(-1)?.content).toBe(
      'The user did not allow this call: no execute_python of {"code":"1"} today',
    );
  });

  it("ends the run with what to do when there is no sandbox", async () => {
    const { outcome, of } = await ask([callPython({ code: "1" })]);
    expect(outcome).toMatchObject({ status: "failed", container_state: "unavailable" });
    expect(of("error")).toMatchObject([
      { code: "sandbox_unavailable", message: expect.stringContaining("no sandbox in this test") },
    ]);
  });

  it("is read whole when its deltas come in pieces of a few bytes, among those of another", async () => {
    const pieces = toolCalls(
      { name: "tool_a", args: { text: "für 5 € 🧀" } },
      { name: "tool_b", args: { n: [1, 2] } },
    );
    const { of } = await ask([inChunks(3, reply(pieces, finish("tool_calls"))), say("Done.")]);
    expect(of("tool_call").map(({ tool, input }) => [tool, input])).toEqual([
      ["tool_a", { text: "für 5 € 🧀" }],
      ["tool_b", { n: [1, 2] }],
    ]);
    expect(of("tool_result").map(({ tool }) => tool)).toEqual(["tool_a", "tool_b"]);
    const ids = of("tool_call").map((call) => call.call_id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });
});

describe("work that is not text", () => {
  it("shows as a status, and a thought goes back to the model with its call", async () => {
    const { outcome, of, requests } = await ask([
      reply(thought("Let me "), thought("think."), toolCall("no_such_tool", {}), finish("tool_calls")),
      reply(thought("Now I know."), text("Done."), finish("stop")),
    ]);
    expect(outcome).toMatchObject({ status: "completed", response: "Done." });
    expect(of("status").map((event) => event.text)).toEqual([
      "Thinking",
      "Preparing no_such_tool",
      "Thinking",
    ]);
    expect(requests[1]?.body.messages.at(-2)).toMatchObject({
      role: "assistant",
      reasoning_content: "Let me think.",
      tool_calls: [{ function: { name: "no_such_tool" } }],
    });
  });
});

describe("a message of the user in mid-run", () => {
  it("reaches the model before its next call", async () => {
    const waiting: Steering[][] = [[], [{ messageId: "m2", text: "only March" }], []];
    const { outcome, types, requests } = await ask(
      [reply(toolCall("no", {}), finish("tool_calls")), say("March: 5.")],
      {
        takeSteering: () => waiting.shift() ?? [],
      },
    );
    expect(outcome).toMatchObject({ status: "completed", response: "March: 5." });
    expect(types).toEqual(["status", "tool_call", "tool_result", "steered", "token", "token", "title"]);
    expect(requests[1]?.body.messages.at(-1)).toEqual({ role: "user", content: "only March" });
  });

  it("is answered too when it comes while the model gives its answer", async () => {
    const waiting: Steering[][] = [[], [{ messageId: "m2", text: "and in June?" }]];
    const { outcome, requests } = await ask([say("March: 5."), say("June: 7.")], {
      takeSteering: () => waiting.shift() ?? [],
    });
    expect(outcome.response).toBe("March: 5.\n\nJune: 7.");
    expect(requests[1]?.body.messages.slice(-2)).toMatchObject([
      { role: "assistant", content: "March: 5." },
      { role: "user", content: "and in June?" },
    ]);
  });
});

describe("the last step", () => {
  const again = reply(toolCall("no_such_tool", {}), finish("tool_calls"));

  it("is followed by a summing up without tools", async () => {
    const { outcome, requests, of } = await ask([again, again, say("Here is what I found.")], {
      limits: { maxSteps: 2 },
    });
    expect(outcome).toMatchObject({
      status: "completed",
      response: "Here is what I found.",
      openai_calls: 3,
    });
    expect(of("status").map((event) => event.text)).toContain("All 2 steps are used up: summing up");
    expect(requests[2]?.body.tool_choice).toBe("none");
    expect(requests[2]?.body.messages.at(-1)?.content).toContain("Answer the user now");
  });

  it.each([
    ["fails", failure(401)],
    ["calls a tool all the same", again],
  ])("ends in a plain sentence when the summing up %s", async (_, last) => {
    const { outcome, of } = await ask([again, last], { limits: { maxSteps: 1 } });
    expect(outcome.status).toBe("completed");
    expect(outcome.response).toContain("I stopped after 1 steps");
    expect(of("tool_call")).toHaveLength(1);
  });
});

describe("an answer that is no answer", () => {
  it("is asked for again when it is empty", async () => {
    const { outcome, requests } = await ask([reply(finish("stop")), say("Here.")]);
    expect(outcome).toMatchObject({ status: "completed", response: "Here." });
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("was empty");
  });

  it("fails when it stays empty", async () => {
    const empty = reply(finish("stop"));
    const { outcome, of } = await ask([empty, empty, empty]);
    expect(outcome.status).toBe("failed");
    expect(of("error")[0]).toMatchObject({ code: "model_error", message: "The model gave an empty answer." });
  });

  it("goes on when the model's output limit cut it", async () => {
    const { outcome } = await ask([
      reply(text("One, "), finish("length")),
      reply(text("two."), finish("stop")),
    ]);
    expect(outcome).toMatchObject({ status: "completed", response: "One, two." });
  });

  it("says so when a content filter stopped it", async () => {
    const { outcome, of } = await ask([reply(finish("content_filter"))]);
    expect(outcome.status).toBe("failed");
    expect(of("error")[0]?.code).toBe("model_refused");
  });
});
