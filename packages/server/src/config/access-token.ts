import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

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
  try {
    // `wx`: of two servers that start at once, one writes and the other reads what it wrote.
    writeFileSync(path, token, { mode: 0o600, flag: "wx" });
    return { token, isNew: true };
  } catch (error) {
    const other = readToken(path);
    if (other) return { token: other, isNew: false };
    throw error;
  }
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
