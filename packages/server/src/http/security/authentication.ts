import { createHmac } from "node:crypto";
import { getCookie } from "hono/cookie";
import type { MiddlewareHandler } from "hono";
import type { HttpContext, HttpEnvironment } from "../environment.ts";
import { isEqual } from "../../constant-time.ts";
import { ApiError } from "../errors/api-error.ts";

export const sessionCookie = "atoll_session";

/** Knows the token, and the cookie that stands for it in a browser. */
export class Authentication {
  readonly #token: string | undefined;
  readonly #signingKey: Uint8Array;

  constructor(options: { token?: string | undefined; signingKey: Uint8Array }) {
    this.#token = options.token;
    this.#signingKey = options.signingKey;
  }

  get isRequired(): boolean {
    return this.#token !== undefined;
  }

  /** Notes whether the request carries the token; refuses nothing yet, so that guessing is counted first. */
  recognise(): MiddlewareHandler<HttpEnvironment> {
    return async (c, next) => {
      c.set("isAuthenticated", this.#isKnown(c));
      await next();
    };
  }

  /** Whether the request says that it may, which those who guess a token or a code do too. */
  hasCredential(c: HttpContext): boolean {
    const isCode = c.req.path === "/login" && c.req.query("code") !== undefined;
    return isCode || c.req.header("authorization") !== undefined || getCookie(c, sessionCookie) !== undefined;
  }

  demand(isPublic: (c: HttpContext) => boolean): MiddlewareHandler<HttpEnvironment> {
    return async (c, next) => {
      if (this.isRequired && !c.get("isAuthenticated") && !isPublic(c)) {
        throw new ApiError("unauthorized", "a valid token is needed", {
          headers: { "www-authenticate": 'Bearer realm="atoll"' },
        });
      }
      await next();
    };
  }

  /** Bound to the token: a new token ends every session. */
  sessionValue(): string {
    return createHmac("sha256", this.#signingKey)
      .update(`session\0${this.#token ?? ""}`)
      .digest("base64url");
  }

  #isKnown(c: HttpContext): boolean {
    if (this.#token === undefined) return false;
    if (c.get("forwarded")?.isAuthenticated) return true;
    const [scheme, given] = (c.req.header("authorization") ?? "").split(" ", 2);
    if (scheme?.toLowerCase() === "bearer" && given) return isEqual(given, this.#token);
    const cookie = getCookie(c, sessionCookie);
    return cookie !== undefined && isEqual(cookie, this.sessionValue());
  }
}
