import { createHash, randomBytes } from "node:crypto";

const maxCodes = 1000;

/** Codes of login links: each works once, and only for a while, by a clock that nobody can set. */
export class LoginCodes {
  readonly #expiries = new Map<string, number>();
  readonly #ttlMs: number;

  constructor(options: { ttlMs?: number } = {}) {
    this.#ttlMs = options.ttlMs ?? 15 * 60_000;
  }

  issue(): string {
    const oldest = this.#expiries.keys().next();
    if (this.#expiries.size >= maxCodes && !oldest.done) this.#expiries.delete(oldest.value);
    const code = randomBytes(32).toString("base64url");
    this.#expiries.set(digest(code), performance.now() + this.#ttlMs);
    return code;
  }

  /** True once for each code. */
  redeem(code: string): boolean {
    const key = digest(code);
    const expiry = this.#expiries.get(key);
    this.#expiries.delete(key);
    return expiry !== undefined && performance.now() < expiry;
  }
}

/** Looked up by its hash, so that how long a look-up takes tells nothing of a code. */
function digest(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
