import type { MiddlewareHandler } from "hono";
import type { HttpEnvironment } from "../environment.ts";

/** On every answer, unless the route set its own. Nothing of ours is framed, sniffed or read by another origin. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** For what users and sandboxes made: even opened by itself it runs nothing and reaches nothing. */
export const userContentPolicy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'";

export function setSecurityHeaders(): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    await next();
    addSecurityHeaders(c.res.headers);
  };
}

export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(securityHeaders))
    if (!headers.has(name)) headers.set(name, value);
}
