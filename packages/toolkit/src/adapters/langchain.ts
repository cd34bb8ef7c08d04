import { ToolMessage } from "@langchain/core/messages";
import { StructuredTool, ToolInputParsingException, type ToolRunnableConfig } from "@langchain/core/tools";
import type { ToolSession } from "../session/tool-session.ts";
import type { Tool, ToolFile, ToolOutput } from "../tool.ts";
import { pickTools, type ToolPick } from "./tool-pick.ts";

/**
 * A session's tools as LangChain's. Pictures come as content blocks, a failure as a `ToolMessage` with status `error`,
 * what is for programs as the message's artifact. The signal of the call's config is obeyed.
 */
export function toLangChainTools(session: ToolSession, pick?: ToolPick): StructuredTool[] {
  return pickTools(session, pick).map((tool) => new SessionTool(session, tool));
}

/** What a program finds in `ToolMessage.artifact`. */
export type ToolArtifact = Omit<ToolOutput, "text">;

class SessionTool extends StructuredTool {
  override name: string;
  override description: string;
  override schema: Tool["input"];
  override responseFormat = "content_and_artifact" as const;
  readonly #session: ToolSession;

  constructor(session: ToolSession, { name, description, input }: Tool) {
    super();
    this.name = name;
    this.description = description;
    this.schema = input;
    this.#session = session;
  }

  /** Arguments that do not fit become an output for the model instead of an exception. */
  override invoke: StructuredTool["invoke"] = async (input, config) => {
    try {
      return await super.invoke(input, config);
    } catch (error) {
      const callId = findCallId(input, config);
      if (!(error instanceof ToolInputParsingException) || callId === undefined) throw error;
      const text = `The arguments do not fit ${this.name}:\n${error.message}`;
      return this.#messageOf(callId, { text, isError: true }) as never;
    }
  };

  protected override async _call(
    input: unknown,
    _manager: unknown,
    config?: ToolRunnableConfig,
  ): Promise<[unknown, ToolArtifact]> {
    const signal = config?.signal ? { signal: config.signal } : {};
    const output = await this.#session.call(this.name, input, signal);
    config?.signal?.throwIfAborted();
    const { text: _, ...artifact } = output;
    const callId = config?.toolCall?.id;
    const isFailure = output.isError && callId !== undefined;
    return [isFailure ? this.#messageOf(callId, output) : contentOf(output), artifact];
  }

  #messageOf(callId: string, output: ToolOutput): ToolMessage {
    const { text: _, ...artifact } = output;
    return new ToolMessage({
      status: "error",
      content: contentOf(output),
      artifact,
      tool_call_id: callId,
      name: this.name,
    });
  }
}

function contentOf({ text, images = [], files = [] }: ToolOutput) {
  if (images.length + files.length === 0) return text;
  return [
    { type: "text" as const, text },
    ...images.map((image) => blockOf("image", image)),
    ...files.map((file) => blockOf("file", file)),
  ];
}

function blockOf<Type extends "image" | "file">(type: Type, { name, mime, base64 }: ToolFile) {
  return { type, mimeType: mime, data: base64, metadata: { filename: name } };
}

function findCallId(input: unknown, config: unknown): string | undefined {
  const asCall = input as { type?: unknown; id?: unknown } | null;
  if (asCall?.type === "tool_call" && typeof asCall.id === "string") return asCall.id;
  return (config as ToolRunnableConfig | undefined)?.toolCall?.id;
}
