import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError } from "./config-error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The real environment over what `.env` of a folder says. An empty value counts as not set. */
export function readEnvironment(folder: string, real: Environment = process.env): Environment {
  const merged = { ...readDotEnv(folder) };
  for (const [name, value] of Object.entries(real))
    if (value !== undefined && value !== "") merged[name] = value;
  return merged;
}

function readDotEnv(folder: string): Record<string, string | undefined> {
  let content: string;
  try {
    content = readFileSync(join(folder, ".env"), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR") return {};
    throw new ConfigError([`.env is there but cannot be read (${code}): make it readable, or remove it`]);
  }
  return parseEnv(content);
}
