import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answer as say,
  createGate,
  finish,
  inChunks,
  raw,
  reply,
  type ScriptedOpenAI,
  startScriptedOpenAI,
  text,
  usage,
  waitFor,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import { runEventSchemas, runOutcomeSchema } from "@atoll/protocol/schemas";
import { testRequest } from "./request.harness.ts";
import { offerTools } from "./tools.ts";

describe("an answer of the model", () => {
  let models: ScriptedOpenAI;
  beforeAll(async () => {
    models = await startScriptedOpenAI();
  });
  afterAll(() => models.close());

  it("goes out token by token, while the model still speaks", async () => {
    const gate = createGate();
    models.script(reply(text("Hel"), waitFor(gate), text("lo"), finish("stop")));
    const test = testRequest(models.baseUrl);
    const running = answer(test.request);
    expect(await test.until("token")).toEqual({ type: "token", text: "Hel" });
    await gate.reached;
    expect(test.of("token")).toHaveLength(1);
    gate.open();
    const outcome = await running;
    expect(test.of("token").map((token) => token.text)).toEqual(["Hel", "lo"]);
    expect(outcome).toMatchObject({
      status: "completed",
      response: "Hello",
      model: "openai-compatible:scripted",
    });
  });

  it("is the same however the bytes are split", async () => {
    const words = "Käse für 5 € – 日本語 🧀 done";
    for (const bytes of [1, 2, 3, 5, 7, 64]) {
      models.script(inChunks(bytes, say(words)));
      const test = testRequest(models.baseUrl);
      expect(await answer(test.request)).toMatchObject({ status: "completed", response: words });
    }
  });

  it("ends in an outcome whose timings and usage were measured", async () => {
    models.script(reply(text("Hi"), finish("stop"), usage(120, 9)));
    const test = testRequest(models.baseUrl);
    const startedAt = performance.now();
    const outcome = await answer(test.request);
    const wallMs = performance.now() - startedAt;
    runOutcomeSchema.parse(outcome);
    const { ttft, ttft_saved, openai_per_call, openai_total, exec_total, overhead } = outcome.timings_ms;
    expect(outcome.usage).toEqual({ input_tokens: 120, output_tokens: 9 });
    expect(outcome.openai_calls).toBe(1);
    expect(openai_per_call).toEqual([openai_total]);
    expect(exec_total).toBe(0);
    expect(outcome.total_ms).toBeLessThanOrEqual(wallMs + 0.1);
    expect(ttft).toBeGreaterThan(0);
    expect((ttft ?? 0) + (ttft_saved ?? 0)).toBeCloseTo(outcome.total_ms, 0);
    expect(openai_total + overhead).toBeLessThanOrEqual(outcome.total_ms + 0.5);
  });

  it("emits events of the wire's form only, and names a new thread", async () => {
    models.script(say("Fine."), say("Again."));
    const test = testRequest(models.baseUrl, { message: "what is our **total** spend? By month" });
    await answer(test.request);
    for (const event of test.events) {
      const schema = runEventSchemas.find(({ shape }) => shape.type.value === event.type);
      expect(schema?.parse(event)).toEqual(event);
    }
    expect(test.of("title")).toEqual([{ type: "title", title: "What is our total spend" }]);
    const later = testRequest(models.baseUrl, {
      history: [{ user: "hi", status: "completed", parts: [{ kind: "text", text: "hello" }] }],
    });
    await answer(later.request);
    expect(later.of("title")).toEqual([]);
  });

  it("sends the system prompt, the history and the question, with every tool declared", async () => {
    models.script(say("Fine."));
    const before = models.requests.length;
    const test = testRequest(models.baseUrl, {
      history: [{ user: "hi", status: "completed", parts: [{ kind: "text", text: "hello" }] }],
    });
    await answer(test.request);
    const { body, headers } = await models.received(before + 1);
    expect(headers.authorization).toBe("Bearer sk-secret-123456");
    expect(body.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(body.messages[0]?.content).toContain("/workspace");
    expect(body.messages.at(-1)?.content).toBe("How much did we spend?");
    expect(body.tools?.map((tool) => tool.function.name)).toEqual(offerTools({}).map(({ name }) => name));
    expect(offerTools({}).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["execute_python", "grep"]),
    );
    expect(body.tools?.[0]?.function.parameters).toMatchObject({
      type: "object",
      required: ["code"],
      properties: { code: { type: "string" } },
    });
  });

  it("takes the first model of a server that was given without one", async () => {
    models.script(say("Fine."));
    const model = {
      kind: "model",
      provider: "openai-compatible",
      model: "",
      baseUrl: models.baseUrl,
    } as const;
    const outcome = await answer(testRequest(models.baseUrl, { model }).request);
    expect(outcome.model).toBe("openai-compatible:scripted");
    expect(models.requests.at(-1)?.body.model).toBe("scripted");
  });

  it("passes over comments that keep the connection alive", async () => {
    models.script(reply(raw(": waiting\n\n"), text("Fine"), raw(":\n\n"), text("."), finish("stop")));
    expect(await answer(testRequest(models.baseUrl).request)).toMatchObject({ response: "Fine." });
  });
});
