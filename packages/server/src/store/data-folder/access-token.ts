import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createFileOnce } from "./replace-file.ts";
import type { Config } from "../../config/config.ts";
import { ConfigError } from "../../config/config-error.ts";

export interface AccessToken {
  /** Undefined: none is demanded (loopback, and none set). */
  readonly token?: string;
  /** It was made just now: whoever starts the server prints it, once. */
  readonly isNew: boolean;
}

/** The token that requests must carry. One that was made here is kept, readable for the server's user only. */
export function loadToken(config: Pick<Config, "dataDir" | "token" | "isLoopback">): AccessToken {
  if (config.token !== undefined) return { token: config.token, isNew: false };
  if (config.isLoopback) return { isNew: false };
  const path = join(config.dataDir, "token");
  const known = readToken(path);
  if (known) return { token: known, isNew: false };
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const token = randomBytes(32).toString("base64url");
  // Of servers that start at once, one makes it and the others read what it made.
  if (createFileOnce(path, token)) return { token, isNew: true };
  const other = readToken(path);
  if (other) return { token: other, isNew: false };
  throw new ConfigError([`${path} is there but holds no token: delete it, and a new one is made`]);
}

function readToken(path: string): string | undefined {
  try {
    const token = readFileSync(path, "utf8").trim();
    chmodSync(path, 0o600);
    return token.length >= 16 ? token : undefined;
  } catch {
    return undefined;
  }
}
