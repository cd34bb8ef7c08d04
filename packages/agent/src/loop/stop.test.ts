import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createGate,
  failure,
  finish,
  reply,
  type ScriptedOpenAI,
  stall,
  startScriptedOpenAI,
  text,
  toolCall,
  waitFor,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import { testRequest } from "./request.harness.ts";

describe("a stop", () => {
  let models: ScriptedOpenAI;
  beforeAll(async () => {
    models = await startScriptedOpenAI();
  });
  afterAll(() => models.close());

  it("ends the run before the first token, and the model's connection with it", async () => {
    models.script(reply(stall()));
    const test = testRequest(models.baseUrl);
    const running = answer(test.request);
    const request = await models.received(models.requests.length + 1);
    test.stop();
    expect(await running).toMatchObject({ status: "stopped", response: "", timings_ms: { ttft: null } });
    expect(await request.closed).toEqual({ isComplete: false });
    expect(test.of("error")).toEqual([]);
  });

  it("keeps what was said, and nothing follows", async () => {
    const gate = createGate();
    models.script(reply(text("So far"), waitFor(gate), text(" and more"), finish("stop")));
    const test = testRequest(models.baseUrl);
    const running = answer(test.request);
    await test.until("token");
    test.stop();
    expect(await running).toMatchObject({ status: "stopped", response: "So far" });
    const count = test.events.length;
    gate.open();
    await models.requests.at(-1)?.closed;
    expect(test.events).toHaveLength(count);
  });

  it("ends the wait before another try", async () => {
    models.script(failure(429, { headers: { "retry-after": "50" } }));
    const test = testRequest(models.baseUrl);
    const running = answer(test.request);
    expect((await test.until("status")).text).toContain("in 50 s");
    test.stop();
    expect(await running).toMatchObject({ status: "stopped", openai_calls: 1 });
  });

  it("ends the wait for an approval", async () => {
    models.script(reply(toolCall("execute_python", { code: "1" }), finish("tool_calls")));
    const asked = Promise.withResolvers<void>();
    const test = testRequest(models.baseUrl, {
      approve: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const running = answer(test.request);
    await asked.promise;
    test.stop();
    expect(await running).toMatchObject({ status: "stopped", code_runs: [] });
    expect(test.types).toEqual(["status", "tool_call", "title"]);
  });

  it("ends the wait for a sandbox", async () => {
    models.script(reply(toolCall("execute_python", { code: "1" }), finish("tool_calls")));
    const test = testRequest(models.baseUrl, { wake: () => new Promise(() => {}) });
    const running = answer(test.request);
    await test.until("tool_call");
    test.stop();
    expect(await running).toMatchObject({ status: "stopped", container_state: "waking" });
  });

  it("before the beginning asks no model at all", async () => {
    const before = models.requests.length;
    const test = testRequest(models.baseUrl);
    test.stop();
    expect(await answer(test.request)).toMatchObject({ status: "stopped", openai_calls: 0 });
    expect(models.requests).toHaveLength(before);
  });
});
