import { BaseChatModel, type BindToolsInput } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, type ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import type { Model } from "./open-model.ts";

/**
 * A model of the AI SDK for LangChain, so that the examples need no package of a provider. In a project of your own take
 * LangChain's package for your provider instead.
 */
export class LangChainModel extends BaseChatModel {
  readonly #model: Model;
  readonly #tools: readonly BindToolsInput[];

  constructor(model: Model, tools: readonly BindToolsInput[] = []) {
    super({});
    this.#model = model;
    this.#tools = tools;
  }

  override _llmType(): string {
    return "ai-sdk";
  }

  override bindTools(tools: BindToolsInput[]): LangChainModel {
    return new LangChainModel(this.#model, tools);
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const { content } = await this.#model.doGenerate({
      prompt: messages.map(toPrompt),
      tools: this.#tools.map(toTool),
      abortSignal: options.signal,
    });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const tool_calls = content.flatMap((part) =>
      part.type === "tool-call"
        ? [{ id: part.toolCallId, name: part.toolName, args: JSON.parse(part.input || "{}") as object }]
        : [],
    );
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls }) }] };
  }
}

type Prompt = Parameters<Model["doGenerate"]>[0]["prompt"][number];

function toPrompt(message: BaseMessage): Prompt {
  const { text } = message;
  if (message.type === "system") return { role: "system", content: text };
  if (message.type === "tool") {
    const { tool_call_id, name = "", status } = message as ToolMessage;
    const output = { type: status === "error" ? ("error-text" as const) : ("text" as const), value: text };
    return {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: tool_call_id, toolName: name, output }],
    };
  }
  if (message.type !== "ai") return { role: "user", content: [{ type: "text", text }] };
  const calls = (message as AIMessage).tool_calls ?? [];
  return {
    role: "assistant",
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map(({ id = "", name, args }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: name,
        input: args,
      })),
    ],
  };
}

function toTool(tool: BindToolsInput) {
  const { name, description = "", parameters } = convertToOpenAITool(tool as never).function;
  return { type: "function" as const, name, description, inputSchema: parameters as object };
}
