import type { MiddlewareHandler } from "hono";
import type { HttpContext, HttpEnvironment } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

/**
 * Keeps other sites' pages out. On loopback the Host must be a name of loopback, so that a name an attacker owns and
 * points at 127.0.0.1 (DNS rebinding) gets nothing. A page of another origin may lead here, but neither ask nor change.
 */
export function checkOrigin(options: { isHostChecked: boolean }): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const host = c.req.header("host") ?? new URL(c.req.url).host;
    if (options.isHostChecked && !isLoopbackHost(host)) {
      throw new ApiError("forbidden", "the Host header names another machine", {
        hint: "Open the server as localhost or 127.0.0.1, or set HOST and ATOLL_TOKEN to serve other names.",
      });
    }
    if (isOurCode(c)) return next();
    const origin = c.req.header("origin");
    if (origin !== undefined && !isSameOrigin(origin, host)) throw foreign();
    if (c.req.header("sec-fetch-site") === "cross-site" && !isNavigation(c)) throw foreign();
    await next();
  };
}

/**
 * The page's scripts and styles, the same for everybody. The frame that charts are drawn in has no origin, so that to it
 * even this server is another one.
 */
function isOurCode({ req: { method, path } }: HttpContext): boolean {
  return ["GET", "HEAD"].includes(method) && /^\/ui\/assets\/[\w.-]+$/.test(path);
}

export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host);
}

/** By host and port: behind a proxy that ends TLS the scheme differs. */
export function isSameOrigin(origin: string, host: string): boolean {
  const parsed = URL.parse(origin);
  if (!parsed || !["http:", "https:"].includes(parsed.protocol)) return false;
  return parsed.host.toLowerCase() === (URL.parse(`${parsed.protocol}//${host}`)?.host ?? "");
}

/** Following a link from elsewhere. The page that opens is ours, so nothing is given away. */
function isNavigation(c: HttpContext): boolean {
  return ["GET", "HEAD"].includes(c.req.method) && c.req.header("sec-fetch-mode") === "navigate";
}

function foreign(): ApiError {
  return new ApiError("forbidden", "a page of another origin asks", {
    hint: "Use the pages that this server serves, or a client that sends no Origin.",
  });
}
