import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  answer as say,
  failure,
  startScriptedOpenAI,
} from "../../../../tests/support/scripted-openai/index.ts";
import { answer } from "../answer/answer.ts";
import { testRequest } from "../loop/request.harness.ts";
import { checkModel } from "./check.ts";
import type { ChosenModel } from "./choice.ts";

interface Received {
  path: string;
  headers: Record<string, unknown>;
  body: string;
}

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** One canned reply to every request, in a provider's own form. */
async function serve(status: number, type: string, body: string) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({
      path: request.url ?? "",
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    });
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const frames = (events: readonly object[]) =>
  events
    .map((event) => `event: ${"type" in event ? event.type : "message"}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");

const anthropicStream = frames([
  {
    type: "message_start",
    message: {
      id: "m",
      type: "message",
      role: "assistant",
      model: "c",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 11, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: " there" } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: 5 },
  },
  { type: "message_stop" },
]);

const googleStream = ["Hello", " there"]
  .map((text, index) => ({
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [{ text }] },
        ...(index === 1 ? { finishReason: "STOP" } : {}),
      },
    ],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 },
  }))
  .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  .join("");

const wrongKey = {
  anthropic: {
    status: 401,
    body: { type: "error", error: { type: "authentication_error", message: "invalid x-api-key" } },
  },
  google: {
    status: 400,
    body: { error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" } },
  },
};

describe.each([
  { provider: "anthropic", stream: anthropicStream, keyHeader: "x-api-key", path: "/messages" },
  {
    provider: "google",
    stream: googleStream,
    keyHeader: "x-goog-api-key",
    path: "/models/m:streamGenerateContent",
  },
] as const)("$provider", ({ provider, stream, keyHeader, path }) => {
  const choose = (baseUrl: string): ChosenModel => ({
    kind: "model",
    provider,
    model: "m",
    apiKey: "secret-key-1",
    baseUrl,
  });

  it("answers over its own interface, after a history with calls", async () => {
    const { baseUrl, received } = await serve(200, "text/event-stream", stream);
    const test = testRequest(baseUrl, {
      model: choose(baseUrl),
      history: [
        {
          user: "hi",
          status: "stopped",
          parts: [
            {
              kind: "call",
              callId: "abcdefghi",
              tool: "execute_python",
              input: { code: "1" },
              isError: false,
            },
          ],
        },
      ],
    });
    const outcome = await answer(test.request);
    expect(outcome).toMatchObject({ status: "completed", response: "Hello there", model: `${provider}:m` });
    expect(outcome.usage).toEqual({ input_tokens: 11, output_tokens: 5 });
    expect(test.of("token").map((token) => token.text)).toEqual(["Hello", " there"]);
    expect(received[0]?.headers[keyHeader]).toBe("secret-key-1");
    expect(received[0]?.path).toContain(path);
    expect(received[0]?.body).toContain("interrupted before it had a result");
  });

  it("names the key to set when it refuses the one it got", async () => {
    const { status, body } = wrongKey[provider];
    const { baseUrl } = await serve(status, "application/json", JSON.stringify(body));
    const test = testRequest(baseUrl, { model: choose(baseUrl) });
    expect(await answer(test.request)).toMatchObject({ status: "failed", openai_calls: 1 });
    expect(test.of("error")[0]).toMatchObject({
      code: "model_auth",
      hint: expect.stringMatching(/_API_KEY/),
    });
    expect(await checkModel(choose(baseUrl), new AbortController().signal)).toMatchObject({
      ok: false,
      code: "model_auth",
    });
  });
});

describe("the check of a model", () => {
  const check = (baseUrl: string, model = "m") =>
    checkModel(
      { kind: "model", provider: "openai-compatible", model, baseUrl },
      new AbortController().signal,
    );

  it("says that it works, with the model that was found", async () => {
    await using models = await startScriptedOpenAI({ models: ["first", "second"] });
    models.script(say("ok"));
    expect(await check(models.baseUrl, "")).toMatchObject({ ok: true, model: "openai-compatible:first" });
    expect(models.requests[0]?.body).toMatchObject({ model: "first", max_tokens: 16 });
  });

  it("says what is wrong", async () => {
    await using models = await startScriptedOpenAI({ models: [] });
    models.script(failure(404, { message: "no such model" }));
    expect(await check(models.baseUrl)).toMatchObject({ ok: false, code: "model_not_found" });
    expect(await check(models.baseUrl, "")).toMatchObject({ ok: false, code: "model_not_found" });
    expect(await check("http://127.0.0.1:9/v1")).toMatchObject({ ok: false, code: "model_unavailable" });
  });
});
