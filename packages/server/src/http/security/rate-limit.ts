import type { MiddlewareHandler } from "hono";
import type { HttpContext, HttpEnvironment } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

const maxBuckets = 50_000;

/** Counts requests in fixed windows. A `max` of 0 counts nothing. */
export class RateLimit {
  readonly #windowMs: number;
  readonly #max: number;
  readonly #buckets = new Map<string, { count: number; endsAt: number }>();

  constructor(options: { windowMs: number; max: number }) {
    this.#windowMs = options.windowMs;
    this.#max = options.max;
  }

  guard(options: {
    keyOf: (c: HttpContext) => string;
    isExempt: (c: HttpContext) => boolean;
  }): MiddlewareHandler<HttpEnvironment> {
    return async (c, next) => {
      const waitMs = this.#max === 0 || options.isExempt(c) ? 0 : this.take(options.keyOf(c));
      if (waitMs > 0) {
        const seconds = String(Math.ceil(waitMs / 1000));
        throw new ApiError("rate_limited", `more than ${this.#max} requests in ${this.#windowMs} ms`, {
          headers: { "retry-after": seconds },
        });
      }
      await next();
    };
  }

  /** Counts one request. How long to wait, when there were too many; else 0. */
  take(key: string, now = Date.now()): number {
    const known = this.#buckets.get(key);
    if (known && now < known.endsAt) {
      known.count += 1;
      return known.count > this.#max ? known.endsAt - now : 0;
    }
    this.#buckets.delete(key);
    if (this.#buckets.size >= maxBuckets) this.#makeRoom(now);
    this.#buckets.set(key, { count: 1, endsAt: now + this.#windowMs });
    return 0;
  }

  /** The map keeps the order in which windows began, so those that ended are in front. */
  #makeRoom(now: number): void {
    for (const [key, { endsAt }] of this.#buckets) {
      if (now < endsAt && this.#buckets.size < maxBuckets) return;
      this.#buckets.delete(key);
    }
  }
}
