import { setTimeout as wait } from "node:timers/promises";
import type { Tool, ToolOutput } from "@atoll/toolkit";
import { currentRequest, type McpServer } from "@atoll/toolkit/mcp";
import { z } from "zod";

const wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const encode = (text: string) => Buffer.from(text).toString("base64");
const say = (text: string, extras: Partial<ToolOutput> = {}): ToolOutput => ({
  text,
  isError: false,
  ...extras,
});

function define(name: string, run: Tool["run"], input: z.ZodType = z.object({})): Tool {
  return { name, description: `For the conformance runner: ${name}.`, input, isReadOnly: true, run };
}

/** More than what is told at once takes. */
const pauseMs = 150;

async function print(words: readonly string[], report: Parameters<Tool["run"]>[1]["report"]): Promise<void> {
  for (const word of words) {
    report.output("stdout", `${word}\n`);
    await wait(pauseMs);
  }
}

function request() {
  const asked = currentRequest();
  if (!asked) throw new Error("no request of a client");
  return asked;
}

async function elicit(params: Parameters<McpServer["elicitInput"]>[0]): Promise<ToolOutput> {
  const { server, extra } = request();
  const { action, content } = await server.elicitInput(params, { relatedRequestId: extra.requestId });
  return say(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

const titled = (...names: string[]) => names.map((title, at) => ({ const: `value${at + 1}`, title }));
const options = ["option1", "option2", "option3"];

/** What the runner wants to call, as tools of ours. `png`: any picture. */
export const createConformanceTools = (png: string): readonly Tool[] => [
  define("test_simple_text", async () => say("This is a simple text response for testing.")),
  define("test_image_content", async () =>
    say("a dot", { images: [{ name: "dot.png", mime: "image/png", base64: png }] }),
  ),
  define("test_audio_content", async () =>
    say("a sound", { files: [{ name: "a.wav", mime: "audio/wav", base64: wav }] }),
  ),
  define("test_embedded_resource", async () =>
    say("a text", {
      files: [
        { name: "/a.txt", mime: "text/plain", base64: encode("This is an embedded resource content.") },
      ],
    }),
  ),
  define("test_multiple_content_types", async () =>
    say("Multiple content types test:", {
      images: [{ name: "dot.png", mime: "image/png", base64: png }],
      files: [{ name: "/a.json", mime: "application/json", base64: encode('{"test":"data","value":123}') }],
    }),
  ),
  define("test_tool_with_logging", async (_, { report }) => {
    await print(["Tool execution started", "Tool processing data", "Tool execution completed"], report);
    return say("logged");
  }),
  define("test_tool_with_progress", async (_, { report }) => {
    await print(["0", "50", "100"], report);
    return say("done");
  }),
  define("test_error_handling", async () => ({
    text: "This tool intentionally returns an error for testing",
    isError: true,
  })),
  define(
    "test_sampling",
    async (input) => {
      const { prompt } = input as { prompt: string };
      const { server, extra } = request();
      const { content } = await server.createMessage(
        { messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens: 100 },
        { relatedRequestId: extra.requestId },
      );
      return say(`LLM response: ${JSON.stringify(content)}`);
    },
    z.object({ prompt: z.string() }),
  ),
  define(
    "test_elicitation",
    (input) =>
      elicit({
        message: (input as { message: string }).message,
        requestedSchema: {
          type: "object",
          properties: {
            username: { type: "string", description: "User's response" },
            email: { type: "string", description: "User's email address" },
          },
          required: ["username", "email"],
        },
      }),
    z.object({ message: z.string() }),
  ),
  define("test_elicitation_sep1034_defaults", () =>
    elicit({
      message: "Defaults",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
      },
    }),
  ),
  define("test_elicitation_sep1330_enums", () =>
    elicit({
      message: "Choices",
      requestedSchema: {
        type: "object",
        properties: {
          untitledSingle: { type: "string", enum: options },
          titledSingle: { type: "string", oneOf: titled("First Option", "Second Option", "Third Option") },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: { type: "array", items: { type: "string", enum: options } },
          titledMulti: {
            type: "array",
            items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") },
          },
        },
      },
    }),
  ),
  define("test_reconnection", async () => {
    request().extra.closeSSEStream?.();
    await wait(pauseMs);
    return say("Reconnection test completed successfully.");
  }),
  define(
    "json_schema_2020_12_tool",
    async () => say("fits"),
    z.strictObject({
      name: z.string().optional(),
      address: z
        .object({ street: z.string().optional(), city: z.string().optional() })
        .meta({ id: "address" })
        .optional(),
    }),
  ),
];
