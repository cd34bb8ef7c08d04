import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { ToolSession } from "@atoll/toolkit";
import { toAiTools } from "@atoll/toolkit/ai-sdk";
import { toLangChainTools } from "@atoll/toolkit/langchain";
import { createMcpServer } from "@atoll/toolkit/mcp";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";

/** What a model gets to see of a call. */
export interface Seen {
  readonly text: string;
  readonly isError: boolean;
}

/** Makes a call the way a model's call arrives through one library. */
export interface Caller {
  call(name: string, input: unknown): Promise<Seen>;
  close(): Promise<void>;
}

export const callers: Readonly<Record<string, (session: ToolSession) => Promise<Caller>>> = {
  "AI SDK": async (session) => {
    const tools = toAiTools(session);
    return {
      async call(name, input) {
        const model = modelThatCalls(name, input);
        await generateText({ model, tools, stopWhen: isStepCount(2), prompt: "go" });
        return readAiResult(model);
      },
      async close() {},
    };
  },

  LangChain: async (session) => {
    const node = new ToolNode(toLangChainTools(session));
    return {
      async call(name, input) {
        const message = new AIMessage({
          content: "",
          tool_calls: [{ id: "call_1", name, args: input as object }],
        });
        const { messages } = (await node.invoke({ messages: [message] })) as { messages: ToolMessage[] };
        return { text: messages[0]?.text ?? "", isError: messages[0]?.status === "error" };
      },
      async close() {},
    };
  },

  MCP: async (session) => {
    const server = createMcpServer(session);
    const client = new Client({ name: "table", version: "1" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    return {
      async call(name, input) {
        try {
          const result = await client.callTool({ name, arguments: input as Record<string, unknown> });
          const content = result.content as { type: string; text?: string }[];
          const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
          return { text, isError: result.isError === true };
        } catch (error) {
          return { text: String(error), isError: true };
        }
      },
      async close() {
        await client.close();
        await server.close();
      },
    };
  },
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function modelThatCalls(toolName: string, input: unknown): MockLanguageModelV4 {
  const call = { type: "tool-call" as const, toolCallId: "call_1", toolName, input: JSON.stringify(input) };
  const common = { usage, warnings: [] };
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: { unified: "tool-calls", raw: undefined }, ...common },
      {
        content: [{ type: "text", text: "done" }],
        finishReason: { unified: "stop", raw: undefined },
        ...common,
      },
    ],
  });
}

function readAiResult(model: MockLanguageModelV4): Seen {
  const message = model.doGenerateCalls[1]?.prompt.at(-1);
  const result = message?.role === "tool" ? message.content[0] : undefined;
  if (result?.type !== "tool-result") throw new Error("the model saw no result");
  const { output } = result;
  if (output.type === "text" || output.type === "error-text")
    return { text: output.value, isError: output.type === "error-text" };
  if (output.type !== "content") throw new Error(`the model saw ${output.type}`);
  const text = output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return { text, isError: false };
}
