import type { Tool } from "@atoll/toolkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answer as say,
  contextTooLong,
  cut,
  endEarly,
  failure,
  finish,
  raw,
  reply,
  type Script,
  type ScriptedOpenAI,
  stall,
  startScriptedOpenAI,
  text,
  toolCall,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import type { AnswerRequest } from "../request.ts";
import { testRequest } from "./request.harness.ts";
import { idleSandbox, paint } from "./tools.harness.ts";

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
  return { ...test, outcome, requests: models.requests };
}

describe("a model call that fails for a while", () => {
  it.each([
    ["a 429", failure(429, { headers: { "retry-after": "0" } }), "takes no more requests"],
    [
      "a 429 that speaks of tokens",
      failure(429, {
        message: "Number of request tokens has exceeded your per-minute rate limit",
        headers: { "retry-after-ms": "1" },
      }),
      "takes no more requests",
    ],
    ["a 500", failure(500), "has a problem (500)"],
    ["a 503", failure(503), "has a problem (503)"],
    ["a connection that breaks before the first token", reply(cut()), "broke off its answer"],
    ["a body that ends too early", reply(endEarly()), "broke off its answer"],
    ["a frame that is not JSON", reply(raw("data: {oops\n\n"), finish("stop")), "broke off its answer"],
    [
      "an error in the middle of the stream",
      reply(raw('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n')),
      "broke off its answer",
    ],
  ])("is tried again after %s, and says why", async (_, fault, reason) => {
    const { outcome, of } = await ask([fault, say("All good.")]);
    expect(outcome).toMatchObject({ status: "completed", response: "All good.", openai_calls: 2 });
    expect(of("status").map((event) => event.text)).toEqual([expect.stringContaining(reason)]);
    expect(of("error")).toEqual([]);
  });

  it("is tried again when its stream falls silent", async () => {
    const { outcome, of } = await ask([reply(stall()), say("All good.")], {
      limits: { stallTimeoutMs: 500 },
    });
    expect(outcome).toMatchObject({ status: "completed", response: "All good." });
    expect(of("status")[0]?.text).toContain("stopped sending");
  });

  it("goes on where it was cut: no token is sent twice", async () => {
    const { outcome, of, requests } = await ask([
      reply(text("The total "), text("is 4"), cut()),
      reply(text("2"), cut()),
      say(" euros."),
    ]);
    expect(outcome).toMatchObject({
      status: "completed",
      response: "The total is 42 euros.",
      openai_calls: 3,
    });
    expect(
      of("token")
        .map((token) => token.text)
        .join(""),
    ).toBe(outcome.response);
    const retold = requests[2]?.body.messages.slice(-2);
    expect(retold).toMatchObject([
      { role: "assistant", content: "The total is 42" },
      { role: "user", content: expect.stringContaining("without repeating") },
    ]);
  });

  it("runs no tool call that was cut in its middle", async () => {
    const { outcome, of } = await ask([
      reply(toolCall("no_such_tool", { code: "1+1" }).slice(0, 2), cut()),
      reply(toolCall("no_such_tool", { code: "1+1" }).slice(0, 2), endEarly()),
      say("Fine."),
    ]);
    expect(of("tool_call")).toEqual([]);
    expect(outcome).toMatchObject({ status: "completed", response: "Fine." });
  });

  it("is given up after so many tries, and what was said stays", async () => {
    const { outcome, types, of } = await ask([reply(text("So far"), cut()), failure(500), failure(500)], {
      limits: { maxRetries: 2 },
    });
    expect(outcome).toMatchObject({ status: "failed", response: "So far", openai_calls: 3 });
    expect(types).toEqual(["token", "status", "status", "title", "error"]);
    expect(of("error")[0]).toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("127.0.0.1"),
      hint: expect.stringContaining("OPENAI_BASE_URL"),
    });
  });

  it("is not waited for when it asks for more than a minute", async () => {
    const { outcome, of } = await ask([failure(429, { headers: { "retry-after": "3600" } })]);
    expect(outcome.status).toBe("failed");
    expect(of("error")[0]).toMatchObject({ code: "model_rate_limited" });
  });

  it("names the address when nobody listens there", async () => {
    const test = testRequest("http://127.0.0.1:9/v1", { limits: { maxRetries: 1 } });
    expect(await answer(test.request)).toMatchObject({ status: "failed", openai_calls: 2 });
    expect(test.of("error")[0]).toMatchObject({
      code: "model_unavailable",
      message: "openai-compatible at 127.0.0.1:9 cannot be reached.",
    });
  });
});

describe("a model call that cannot succeed", () => {
  it.each([
    [401, { message: "Incorrect API key provided: sk-secret-123456" }, "model_auth", "OPENAI_API_KEY"],
    [403, { message: "sk-sec********3456 may not" }, "model_auth", "OPENAI_API_KEY"],
    [404, { message: "The model does not exist", code: "model_not_found" }, "model_not_found", "ATOLL_MODEL"],
    [429, { message: "You exceeded it", code: "insufficient_quota" }, "model_rate_limited", "billing"],
    [400, { message: "bad: Bearer sk-secret-123456 tools" }, "model_error", "can call tools"],
  ] as const)("fails at once with what to do: %i", async (status, body, code, hint) => {
    const { outcome, of, events } = await ask([failure(status, body)]);
    expect(outcome).toMatchObject({ status: "failed", openai_calls: 1, response: "" });
    expect(outcome.timings_ms.ttft).toBeNull();
    expect(of("error")).toMatchObject([{ code, hint: expect.stringContaining(hint) }]);
    expect(JSON.stringify(events)).not.toMatch(/sk-sec/);
  });
});

describe("a conversation that is too long", () => {
  const history = ["first", "second", "third"].map((user) => ({
    user,
    status: "completed" as const,
    parts: [{ kind: "text" as const, text: `answer to ${user}` }],
  }));

  it("is asked again with its older turns summed up by the model", async () => {
    const { outcome, of, requests } = await ask(
      [contextTooLong(), say("They spoke of two things."), say("Fine.")],
      {
        history,
      },
    );
    expect(outcome).toMatchObject({ status: "completed", response: "Fine.", openai_calls: 3 });
    expect(of("status")[0]?.text).toContain("too long");
    expect(requests[1]?.body.tools).toBeUndefined();
    expect(requests[1]?.body.messages[1]?.content).toContain("answer to second");
    const sent = JSON.stringify(requests[2]?.body.messages);
    expect(sent).toContain("They spoke of two things.");
    expect(sent).not.toContain("answer to second");
    expect(sent).toContain("answer to third");
  });

  it("is cut when the summary fails, and once more when that is not enough", async () => {
    const { outcome, requests } = await ask(
      [contextTooLong(), failure(500), contextTooLong(), say("Fine.")],
      {
        history,
      },
    );
    expect(outcome).toMatchObject({ status: "completed", response: "Fine." });
    const sent = JSON.stringify(requests[3]?.body.messages);
    expect(sent).toContain("left out");
    expect(sent).not.toContain("answer to");
    expect(sent).toContain("How much did we spend?");
  });

  it("fails with what to do when nothing is left to cut", async () => {
    const { outcome, of } = await ask([contextTooLong(), contextTooLong()]);
    expect(outcome.status).toBe("failed");
    expect(of("error")[0]).toMatchObject({
      code: "model_context_too_long",
      hint: expect.stringContaining("new thread"),
    });
  });
});

describe("a model that cannot see", () => {
  const painting = () => reply(toolCall("paint", {}), finish("tool_calls"));

  it.each([
    ["refuses a picture", failure(400, { message: "no such content type" })],
    ["fails at a picture", failure(500, { message: "image input is not supported" })],
  ])("and %s goes on with the text, from then on", async (_, fault) => {
    const { outcome, of, requests } = await ask([painting(), fault, painting(), say("I see.")], {
      tools: [paint as Tool],
      wake: idleSandbox,
    });
    expect(outcome).toMatchObject({ status: "completed", response: "I see." });
    expect(of("status").map((event) => event.text)).toContain(
      "The model did not take the pictures: going on without them",
    );
    const hasPicture = requests.map(({ body }) => JSON.stringify(body).includes("data:image/png"));
    expect(hasPicture).toEqual([false, true, false, false]);
    expect(JSON.stringify(requests[3]?.body)).toContain("A picture.");
  });
});
