import type { MiddlewareHandler } from "hono";
import type { HttpContext, HttpEnvironment } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { RateLimit } from "./rate-limit.ts";

const windowMs = 60_000;
const maxGuesses = 60;

/** Wrong tokens, passes and cookies of each address. A right one is never refused, so that no guesser locks others out. */
export class Guesses {
  readonly #limit = new RateLimit({ windowMs, max: maxGuesses });

  /** Counts a wrong one. How long its sender has to wait, in seconds, when there were too many; else 0. */
  count(client: string): number {
    return Math.ceil(this.#limit.take(client) / 1000);
  }
}

export function refuseGuesses(
  guesses: Guesses,
  options: { isGuess: (c: HttpContext) => boolean; clientOf: (c: HttpContext) => string },
): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const waitSeconds = options.isGuess(c) ? guesses.count(options.clientOf(c)) : 0;
    if (waitSeconds > 0)
      throw new ApiError("rate_limited", `more than ${maxGuesses} wrong tokens in a minute`, {
        hint: "Look for the right one: it is accepted at any time.",
        headers: { "retry-after": String(waitSeconds) },
      });
    await next();
  };
}
