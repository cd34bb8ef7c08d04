import { AtollError } from "@atoll/sandbox";
import type { ModelChoice, UserCode } from "../request.ts";

export type ChosenModel = Extract<ModelChoice, { kind: "model" }>;
export type Provider = ChosenModel["provider"];
type Env = Readonly<Record<string, string | undefined>>;

interface ProviderFacts {
  /** Where its key is looked for. */
  readonly keyVariable: string;
  readonly needsKey: boolean;
  /** Empty: the first model that the server names. */
  readonly defaultModel: string;
}

export const providers: Readonly<Record<Provider, ProviderFacts>> = {
  openai: { keyVariable: "OPENAI_API_KEY", needsKey: true, defaultModel: "gpt-5.4-mini" },
  anthropic: { keyVariable: "ANTHROPIC_API_KEY", needsKey: true, defaultModel: "claude-sonnet-5-5" },
  google: { keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY", needsKey: true, defaultModel: "gemini-3.8-flash" },
  "openai-compatible": { keyVariable: "OPENAI_API_KEY", needsKey: false, defaultModel: "" },
};

/** OpenAI's own. */
export const openaiAddress = "https://api.openai.com/v1";

/** `ATOLL_MODEL` if it is set, else the provider whose key or address is, else the built-in analyst. */
export function chooseModel(env: Env): ModelChoice {
  const named = read(env, "ATOLL_MODEL");
  if (named) return parseModel(named, env);
  if (read(env, "OPENAI_BASE_URL")) return pick("openai-compatible", "", env);
  const found = (["openai", "anthropic", "google"] as const).find((provider) =>
    read(env, providers[provider].keyVariable),
  );
  return found ? pick(found, "", env) : { kind: "built-in" };
}

/** `provider:model`, `provider` alone for its default model, or `built-in`. Keys and address come from `env`. */
export function parseModel(text: string, env: Env): ModelChoice {
  if (text === "built-in") return { kind: "built-in" };
  const [provider = "", ...rest] = text.split(":");
  if (!isProvider(provider)) {
    const known = Object.keys(providers).join(", ");
    throw invalid(`the model "${text}" names no known provider: write provider:model, with one of ${known}`);
  }
  return pick(provider, rest.join(":"), env);
}

/** As it is shown, and as `parseModel` reads it. */
export function nameModel(choice: ModelChoice | UserCode): string {
  if (choice.kind === "user") return "you";
  if (choice.kind === "built-in") return "built-in";
  return choice.model ? `${choice.provider}:${choice.model}` : choice.provider;
}

function pick(provider: Provider, model: string, env: Env): ChosenModel {
  const facts = providers[provider];
  const apiKey = read(env, facts.keyVariable);
  const baseUrl = provider.startsWith("openai") ? read(env, "OPENAI_BASE_URL") : undefined;
  if (facts.needsKey && !apiKey && !baseUrl) {
    throw invalid(`the provider ${provider} needs a key: set ${facts.keyVariable}`);
  }
  if (provider === "openai-compatible" && !baseUrl) {
    throw invalid("the provider openai-compatible needs an address: set OPENAI_BASE_URL");
  }
  return {
    kind: "model",
    provider,
    model: model || read(env, "OPENAI_MODEL", provider) || facts.defaultModel,
    ...(apiKey ? { apiKey } : {}),
    ...(baseUrl ? { baseUrl: checkAddress(baseUrl) } : {}),
  };
}

/** The value, or undefined when it is absent or empty; `OPENAI_MODEL` counts only for OpenAI's own interface. */
function read(env: Env, name: string, provider?: Provider): string | undefined {
  if (provider !== undefined && !provider.startsWith("openai")) return undefined;
  return env[name]?.trim() || undefined;
}

function checkAddress(address: string): string {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
  throw invalid("OPENAI_BASE_URL is not an address: write it like http://127.0.0.1:11434/v1");
}

function isProvider(name: string): name is Provider {
  return Object.hasOwn(providers, name);
}

function invalid(message: string): AtollError {
  return new AtollError("invalid_argument", message);
}
