import type { MiddlewareHandler } from "hono";
import { AtollError } from "@atoll/sandbox";
import { type HttpContext, type HttpEnvironment, whenAnswered } from "../../http/environment.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import type { Directory } from "../directory.ts";
import type { LeaseKey } from "../contract.ts";
import type { Forwarder, ReadRequest } from "./forwarder.ts";
import { forwardedHeader, notOwnerHeader, verifyForwarded } from "./signature.ts";
import { keyOf, targetOf } from "./target.ts";

/** Believes what another server says of a request that it passes on, if it proves that it is one of them. */
export function recogniseForwarded(secret: Uint8Array): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const given = c.req.header(forwardedHeader);
    if (given !== undefined) {
      const forwarded = verifyForwarded(given, { method: c.req.method, target: targetOf(c) }, secret);
      if (!forwarded) {
        throw new ApiError(
          "forbidden",
          `the header ${forwardedHeader} was not made by a server of this installation`,
          {
            hint: "Leave it out. Between servers: share one data folder, and set the clocks of the machines.",
          },
        );
      }
      c.set("isForwarded", true);
      c.set("isAuthenticated", forwarded.isAuthenticated);
    }
    await next();
  };
}

/** What the server that passed the request on has done already. */
export function unlessForwarded(
  middleware: MiddlewareHandler<HttpEnvironment>,
): MiddlewareHandler<HttpEnvironment> {
  return (c, next) => (c.get("isForwarded") ? next() : middleware(c, next));
}

export interface ClusterWays {
  readonly directory: Directory;
  readonly forwarder: Forwarder;
}

/** Sees to it that a request for a thread or a sandbox is answered by the server that has it. */
export function leadToOwner(parts: ClusterWays): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const key = keyOf(c);
    const forwarded = key && (await lead(parts, c, key));
    if (forwarded) return forwarded;
    await next();
    if (c.get("isForwarded") && isNotOwner(c.error)) c.res.headers.set(notOwnerHeader, "yes");
    return undefined;
  };
}

/** The answer of the server that has it; undefined when that is this one, which then keeps it while it answers. */
export async function lead(
  { directory, forwarder }: ClusterWays,
  c: HttpContext,
  key: LeaseKey,
  instead?: ReadRequest,
): Promise<Response | undefined> {
  const isForwarded = c.get("isForwarded") ?? false;
  const place = await directory.find(key, { isForwarded });
  if (place.kind !== "here" && isForwarded) throw notHere();
  if (place.kind === "elsewhere") {
    c.set("route", "(forwarded)");
    return forwarder.forward(c, key, place.server, instead);
  }
  // An event stream goes on after its handler has returned.
  whenAnswered(c, directory.use(key));
  return undefined;
}

function notHere(): ApiError {
  return new ApiError("not_owner", "this server does not have it", { headers: { [notOwnerHeader]: "yes" } });
}

/** It was taken from this server while it answered: the store has written nothing. */
function isNotOwner(error: unknown): boolean {
  return error instanceof AtollError && error.code === "not_owner";
}
