/** A source of answers: a choice in the page, and `provider:model` for the server. */
export interface ModelChoice {
  readonly source: Source;
  /** Empty for the provider's default. */
  readonly name: string;
}

export const SOURCES = ["server", "built-in", "openai", "anthropic", "google", "openai-compatible"] as const;

/** `server`: what the server was started with. */
export type Source = (typeof SOURCES)[number];

/** The provider whose key a source uses, if any. */
export const keyOf = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  "openai-compatible": "openai",
} as const satisfies Partial<Record<Source, string>>;

/** Product names are the same in every language. */
export const productNames = { openai: "OpenAI", anthropic: "Anthropic", google: "Google" } as const;

export function readModel(model: string | null): ModelChoice {
  if (model === null) return { source: "server", name: "" };
  const [first = "", ...rest] = model.split(":");
  const source = SOURCES.find((each) => each === first);
  return source && source !== "server" ? { source, name: rest.join(":") } : { source: "server", name: "" };
}

/** Null for the server's choice. */
export function writeModel({ source, name }: ModelChoice): string | null {
  if (source === "server") return null;
  const chosen = name.trim();
  return source === "built-in" || chosen === "" ? source : `${source}:${chosen}`;
}

export function hasKey(source: Source): source is keyof typeof keyOf {
  return source in keyOf;
}
