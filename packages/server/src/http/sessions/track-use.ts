import type { MiddlewareHandler } from "hono";
import type { Services } from "../services.ts";
import { type HttpContext, type HttpEnvironment, nodeObjects } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";

/** A request for a temporary thread is a use of it, for as long as it lasts; one that has ended is answered as such. */
export function countSessionUses(services: Pick<Services, "sessions">): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const threadId = /^\/thread\/([A-Za-z0-9_-]{1,64})(?=\/|$)/.exec(c.req.path)?.[1];
    if (threadId === undefined || !services.sessions) return next();
    if (services.sessions.hasEnded(threadId)) throw expired(threadId);
    if (isLook(c)) return next();
    const end = services.sessions.use(threadId);
    const { outgoing } = nodeObjects(c);
    outgoing?.once("close", end);
    await next();
    if (!outgoing) end();
    return undefined;
  };
}

function expired(threadId: string): ApiError {
  return new ApiError("expired", `the temporary thread ${threadId} has ended, with all its files`);
}

/** Who asks only how it is, or ends it, does not use it. */
function isLook(c: HttpContext): boolean {
  const [, , , ...rest] = c.req.path.split("/");
  const place = `${c.req.method} ${rest.join("/")}`.trim();
  return ["GET", "HEAD", "DELETE", "GET status", "HEAD status", "POST leave"].includes(place);
}
