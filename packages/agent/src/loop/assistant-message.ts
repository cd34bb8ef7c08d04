import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { asObject } from "../prompt/messages.ts";
import type { ModelCall } from "./step.ts";

export type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

interface Passage {
  readonly type: "text" | "reasoning";
  text: string;
  providerOptions?: SharedV4ProviderMetadata;
}

/**
 * Puts a model's message together from its stream, in the form in which it goes back with the next call. What a
 * provider attaches to a part (item ids, signatures of thoughts) goes back with it: some refuse the message without.
 */
export class AssistantMessage {
  readonly #parts: (Passage | (ModelCall & { type: "call"; providerOptions?: SharedV4ProviderMetadata }))[] =
    [];
  readonly #open = new Map<string, Passage>();
  finish: { reason: LanguageModelV4FinishReason["unified"]; usage: LanguageModelV4Usage } | undefined;

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const passage: Passage = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
        this.#parts.push(passage);
        this.#open.set(part.id, passage);
        return attach(passage, part.providerMetadata);
      }
      case "text-delta":
      case "reasoning-delta": {
        const passage = this.#open.get(part.id);
        if (!passage) return;
        passage.text += part.delta;
        return attach(passage, part.providerMetadata);
      }
      case "text-end":
      case "reasoning-end": {
        const passage = this.#open.get(part.id);
        this.#open.delete(part.id);
        return passage && attach(passage, part.providerMetadata);
      }
      case "tool-call": {
        const { toolCallId, toolName, input } = part;
        this.#parts.push({
          type: "call",
          toolCallId,
          toolName,
          input,
          providerOptions: part.providerMetadata,
        });
        return;
      }
      case "finish":
        this.finish = { reason: part.finishReason.unified, usage: part.usage };
    }
  }

  get text(): string {
    return this.#parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  }

  get calls(): ModelCall[] {
    return this.#parts.flatMap((part) => (part.type === "call" ? [part] : []));
  }

  get content(): AssistantContent {
    return this.#parts.flatMap((part): AssistantContent => {
      const options = part.providerOptions ? { providerOptions: part.providerOptions } : {};
      if (part.type === "call") {
        const { toolCallId, toolName, input } = part;
        return [{ type: "tool-call", toolCallId, toolName, input: asObject(parseInput(input)), ...options }];
      }
      // Empty text is refused by some; an empty thought may still carry its signature.
      if (part.text.trim() === "" && !(part.type === "reasoning" && part.providerOptions)) return [];
      return [{ type: part.type, text: part.text, ...options }];
    });
  }
}

/** The arguments as a value, or the text itself when it is not JSON. */
export function parseInput(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function attach(passage: Passage, metadata: SharedV4ProviderMetadata | undefined): void {
  if (metadata) passage.providerOptions = { ...passage.providerOptions, ...metadata };
}
