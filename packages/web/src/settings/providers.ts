/** Where answers come from: a choice of the page, written as the server's `provider:model`. */
export interface ModelChoice {
  readonly source: Source;
  /** Empty: the provider's usual one. */
  readonly name: string;
}

export const sources = ["server", "built-in", "openai", "anthropic", "google", "openai-compatible"] as const;

/** `server`: what the server was started with. */
export type Source = (typeof sources)[number];

/** Whose key a source uses; those without one have none to test. */
export const keyOf = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  "openai-compatible": "openai",
} as const satisfies Partial<Record<Source, string>>;

/** Names of products are the same in every language. */
export const productNames = { openai: "OpenAI", anthropic: "Anthropic", google: "Google" } as const;

export function readModel(model: string | null): ModelChoice {
  if (model === null) return { source: "server", name: "" };
  const [first = "", ...rest] = model.split(":");
  const source = sources.find((each) => each === first);
  return source && source !== "server" ? { source, name: rest.join(":") } : { source: "server", name: "" };
}

/** Null: the server's own choice. */
export function writeModel({ source, name }: ModelChoice): string | null {
  if (source === "server") return null;
  const chosen = name.trim();
  return source === "built-in" || chosen === "" ? source : `${source}:${chosen}`;
}

export function hasKey(source: Source): source is keyof typeof keyOf {
  return source in keyOf;
}
