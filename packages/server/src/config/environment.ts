import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError } from "./config-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The real environment over the `.env` file of a folder. An empty value counts as not set. */
export function readEnvironment(folder: string, real: Environment = process.env): Environment {
  const merged = { ...readDotEnv(folder) };
  for (const [name, value] of Object.entries(real))
    if (value !== undefined && value !== "") merged[name] = value;
  return merged;
}

/**
 * Makes what `.env` says about drivers visible to them: they read the environment of the process, since the sandbox
 * package also works without a server. What the real environment sets stays.
 */
export function exportToDrivers(
  { sandboxEnv }: { readonly sandboxEnv: Readonly<Record<string, string>> },
  env: NodeJS.ProcessEnv = process.env,
): void {
  for (const [name, value] of Object.entries(sandboxEnv)) env[name] ??= value;
}

function readDotEnv(folder: string): Record<string, string | undefined> {
  let content: string;
  try {
    content = readFileSync(join(folder, ".env"), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return {};
    throw new ConfigError([`.env cannot be read (${code}): make it readable, or remove it`]);
  }
  return parseEnv(content);
}
