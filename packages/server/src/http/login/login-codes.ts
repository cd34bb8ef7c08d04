import { createHash, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

const maxCodes = 1000;

/** Codes of login links: each works once, and only for a while, by a clock that nobody can set. */
export class LoginCodes {
  readonly #open: LRUCache<string, true>;

  constructor({ ttlMs = 15 * 60_000 }: { ttlMs?: number } = {}) {
    this.#open = new LRUCache({ max: maxCodes, ttl: ttlMs, perf: performance });
  }

  issue(): string {
    const code = randomBytes(32).toString("base64url");
    this.#open.set(digest(code), true);
    return code;
  }

  /** True once for each code. */
  redeem(code: string): boolean {
    const key = digest(code);
    const isOpen = this.#open.has(key);
    this.#open.delete(key);
    return isOpen;
  }
}

/** Looked up by its hash, so that how long a look-up takes tells nothing of a code. */
function digest(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
