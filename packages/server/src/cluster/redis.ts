import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { AtollError } from "@atoll/sandbox";

export type { Redis } from "ioredis";

export interface RedisOptions {
  readonly url: string;
  /** A call that takes longer has failed. Default: 2 s. */
  readonly timeoutMs?: number;
  onProblem?(error: unknown): void;
  /** After an outage. */
  onBack?(): void;
}

/** A connection that comes back by itself. While it is away, calls fail at once instead of piling up. */
export async function connectRedis({
  url,
  timeoutMs = 2000,
  onProblem,
  onBack,
}: RedisOptions): Promise<Redis> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: (tries) => Math.min(tries * 50, 1000),
  });
  let lastWords = "";
  redis.on("error", (error: Error) => {
    // One line an outage, not one a try.
    if (error.message !== lastWords) onProblem?.(error);
    lastWords = error.message;
  });
  redis.on("ready", () => {
    if (lastWords !== "") onBack?.();
    lastWords = "";
  });
  try {
    await redis.connect();
    await redis.ping();
    return redis;
  } catch (cause) {
    redis.disconnect();
    throw new AtollError(
      "unavailable",
      `Redis does not answer (${cause instanceof Error ? cause.message : String(cause)}). ` +
        "Start it, or correct REDIS_URL.",
      { cause },
    );
  }
}

/** Lua that Redis runs as one step. Its text is sent once. */
export class Script {
  readonly #text: string;
  readonly #hash: string;

  constructor(text: string) {
    this.#text = text;
    this.#hash = createHash("sha1").update(text).digest("hex");
  }

  async run(redis: Redis, args: readonly (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.#hash, 0, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.eval(this.#text, 0, ...args);
    }
  }
}
