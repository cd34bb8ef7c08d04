import type { MiddlewareHandler } from "hono";
import type { SharedCounter } from "../../cluster/request-counter.ts";
import type { HttpContext, HttpEnvironment } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

const maxBuckets = 50_000;

/** Counts requests in fixed windows. A `max` of 0 counts nothing. */
export class RateLimit {
  readonly #windowMs: number;
  readonly #max: number;
  readonly #shared: SharedCounter | undefined;
  readonly #buckets = new Map<string, { count: number; endsAt: number }>();

  constructor(options: { windowMs: number; max: number; shared?: SharedCounter | undefined }) {
    this.#windowMs = options.windowMs;
    this.#max = options.max;
    this.#shared = options.shared;
  }

  guard(options: {
    keyOf: (c: HttpContext) => string;
    /** Only the count of this server may refuse it. */
    isLocal?: (c: HttpContext) => boolean;
    isExempt: (c: HttpContext) => boolean;
  }): MiddlewareHandler<HttpEnvironment> {
    const count = (key: string, c: HttpContext) =>
      options.isLocal?.(c) ? this.take(key) : this.#takeShared(key);
    return async (c, next) => {
      const waitMs = this.#max === 0 || options.isExempt(c) ? 0 : await count(options.keyOf(c), c);
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
  take(key: string, now = performance.now()): number {
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

  /** A counter that is away lets nobody through uncounted. */
  async #takeShared(key: string): Promise<number> {
    if (!this.#shared) return this.take(key);
    try {
      const { count, endsInMs } = await this.#shared(key, this.#windowMs);
      if (!Number.isSafeInteger(count) || count < 1) return this.take(key);
      return count > this.#max ? Math.min(Math.max(1, endsInMs), this.#windowMs) : 0;
    } catch {
      return this.take(key);
    }
  }

  /** The map keeps the order in which windows began, so those that ended are in front. */
  #makeRoom(now: number): void {
    for (const [key, { endsAt }] of this.#buckets) {
      if (now < endsAt && this.#buckets.size < maxBuckets) return;
      this.#buckets.delete(key);
    }
  }
}
