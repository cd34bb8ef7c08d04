import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ToolOutput } from "@atoll/toolkit";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChosenModel } from "../models/choice.ts";
import { openModel, takesPicturesInResults } from "../models/open.ts";
import { type Message, userMessage, writeResults } from "./messages.ts";
import { findPictures, hasPictures, limitPictures } from "./pictures.ts";

const png = { name: "plot.png", mime: "image/png", base64: "iVBORw0KGgo=" };
const pdf = { name: "report.pdf", mime: "application/pdf", base64: "JVBERi0xLjQ=" };
const output: ToolOutput = { text: "A plot.", isError: false, images: [png], files: [pdf] };

/** What the model is sent over the wire, as text. The server refuses everything. */
async function send(open: (baseUrl: string) => Promise<LanguageModelV4>, prompt: Message[]): Promise<string> {
  const received = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    received.resolve(await readText(request));
    response.writeHead(400, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const model = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(model.doStream({ prompt })).rejects.toThrow();
  return received.promise;
}

function makePrompt(withPictures: boolean): Message[] {
  const call = { toolCallId: "c1", toolName: "file_read" };
  return [
    userMessage("Look at it."),
    { role: "assistant", content: [{ type: "tool-call", ...call, input: {} }] },
    ...writeResults([{ call, output }], { withPictures }),
  ];
}

const choose = (provider: ChosenModel["provider"], baseUrl: string): ChosenModel => ({
  kind: "model",
  provider,
  model: "gemini-3-pro",
  apiKey: "k",
  baseUrl,
});

describe("what a tool has shown, on the wire", () => {
  it.each([
    ["anthropic", ['"type":"base64","media_type":"image/png"', '"media_type":"application/pdf"']],
    ["google", ['"inlineData":{"mimeType":"image/png"', '"inlineData":{"mimeType":"application/pdf"']],
  ] as const)("stands in the result for %s", async (provider, forms) => {
    expect(takesPicturesInResults(choose(provider, ""))).toBe(true);
    const body = await send((baseUrl) => openModel(choose(provider, baseUrl)), makePrompt(true));
    for (const form of [...forms, png.base64, pdf.base64, "A plot."]) expect(body).toContain(form);
  });

  it("stands in the result for OpenAI's own interface", async () => {
    const { provider } = choose("openai", "");
    expect(takesPicturesInResults({ kind: "model", provider, model: "m" })).toBe(true);
    const body = await send(
      async (baseURL) => createOpenAI({ apiKey: "k", baseURL })("gpt-5"),
      makePrompt(true),
    );
    expect(body).toContain(`{"type":"input_image","image_url":"data:image/png;base64,${png.base64}"`);
    expect(body).toContain('"type":"input_file","filename":"report.pdf"');
  });

  it("follows the results in a message of its own for the chat API, images only", async () => {
    const choice = choose("openai-compatible", "http://x");
    expect(takesPicturesInResults(choice)).toBe(false);
    expect(takesPicturesInResults(choose("openai", "http://x"))).toBe(false);
    const body = await send(
      (baseUrl) => openModel(choose("openai-compatible", baseUrl)),
      makePrompt(takesPicturesInResults(choice)),
    );
    expect((JSON.parse(body) as { messages: unknown[] }).messages.slice(-2)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "A plot." },
      {
        role: "user",
        content: [
          { type: "text", text: expect.stringContaining("plot.png") },
          { type: "image_url", image_url: { url: `data:image/png;base64,${png.base64}` } },
        ],
      },
    ]);
    expect(body).not.toContain(pdf.base64);
  });
});

describe("pictures", () => {
  it("are bounded in a call, and of formats that every model knows", () => {
    const big = { ...png, name: "big.png", base64: "A".repeat(4_999_990) };
    const svg = { ...png, name: "plot.svg", mime: "image/svg+xml" };
    const names = (images: ToolOutput["images"]) =>
      findPictures({ text: "", isError: false, images }).map(({ filename }) => filename);
    expect(names([svg, png])).toEqual(["plot.png"]);
    expect(names([big, png])).toEqual(["big.png"]);
    expect(findPictures({ ...output, isError: true })).toEqual([]);
  });

  it("give way to newer ones, in results and in messages", () => {
    const messages = [...makePrompt(true), ...makePrompt(false)];
    expect(hasPictures(messages)).toBe(true);
    const kept = JSON.stringify(limitPictures(messages, png.base64.length));
    expect(kept.split(png.base64)).toHaveLength(2);
    expect(kept).toContain("left out");
    expect(hasPictures(limitPictures(messages, 0))).toBe(false);
    expect(hasPictures([userMessage("x")])).toBe(false);
  });
});
