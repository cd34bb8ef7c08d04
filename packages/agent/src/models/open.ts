import type { LanguageModelV4 } from "@ai-sdk/provider";
import { LRUCache } from "lru-cache";
import { type ChosenModel, openaiAddress } from "./choice.ts";
import { fetchModel } from "./fetch.ts";

const MAX_OPEN = 32;
const open = new LRUCache<string, Promise<LanguageModelV4>>({ max: MAX_OPEN });

/**
 * The model behind a choice. It is kept for the next answer: a new one compiles its schemas when it is first used, which
 * would be several milliseconds before the first token of every answer.
 */
export function openModel(choice: ChosenModel): Promise<LanguageModelV4> {
  const { provider, model, baseUrl, apiKey } = choice;
  const key = JSON.stringify([provider, model, baseUrl, apiKey]);
  const known = open.get(key) ?? create(choice);
  open.set(key, known);
  return known;
}

/** The chat API has only text in the results of tools. */
export function takesPicturesInResults(choice: ChosenModel): boolean {
  return ["anthropic", "google"].includes(choice.provider) || isResponsesApi(choice);
}

function isResponsesApi({ provider, baseUrl }: ChosenModel): boolean {
  return provider === "openai" && baseUrl === undefined;
}

/**
 * Providers load when first asked for. Key and address are passed in full, so that none of them looks into the
 * environment by itself. An address of one's own speaks the chat API, OpenAI's own the responses API.
 */
async function create(choice: ChosenModel): Promise<LanguageModelV4> {
  const { provider, model, baseUrl } = choice;
  const apiKey = choice.apiKey ?? "";
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, fetch: fetchModel, baseURL: baseUrl ?? "https://api.anthropic.com/v1" })(
      model,
    );
  }
  if (provider === "google") {
    const { createGoogle } = await import("@ai-sdk/google");
    const baseURL = baseUrl ?? "https://generativelanguage.googleapis.com/v1beta";
    return createGoogle({ apiKey, fetch: fetchModel, baseURL })(model);
  }
  if (isResponsesApi(choice)) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, fetch: fetchModel, baseURL: openaiAddress })(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name: "openaiCompatible",
    baseURL: baseUrl ?? "",
    includeUsage: true,
    fetch: fetchModel,
    ...(apiKey ? { apiKey } : {}),
  }).chatModel(model);
}
