import type { MiddlewareHandler } from "hono";
import { AtollError } from "@atoll/sandbox";
import { type HttpContext, type HttpEnvironment, nodeObjects, whenAnswered } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import type { LeaseKey } from "../../cluster/contract.ts";
import type { ReadRequest } from "./forwarder.ts";
import type { Forwarding } from "./forwarding.ts";
import { isFramedAs } from "./request-body.ts";
import { answerHeader, forwardedHeader, notOwnerHeader, type Signatures } from "./signature.ts";
import { keyOf, targetOf } from "./target.ts";

/** Believes what another server says of a request that it passes on, if it proves that it is one of them. */
export function recogniseForwarded(signatures: Signatures): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const given = c.req.header(forwardedHeader);
    if (given === undefined) return next();
    const request = { method: c.req.method, target: targetOf(c), host: c.req.header("host") ?? "" };
    const forwarded = signatures.verify(given, request, isEventStream(c) ? [...usual, "resumption"] : usual);
    const { incoming, outgoing } = nodeObjects(c);
    if (!forwarded || !isFramedAs(forwarded.body, incoming?.headers ?? {})) {
      throw new ApiError(
        "forbidden",
        `the header ${forwardedHeader} was not made for this request by a server of this installation`,
        { hint: "Leave it out. Between servers: share one data folder, and set the clocks of the machines." },
      );
    }
    c.set("forwarded", forwarded);
    // On Node's own response: an event stream begins before its handler returns.
    outgoing?.setHeader(answerHeader, forwarded.answerProof);
    await next();
  };
}

const usual = ["request"] as const;

/** What goes on at another server when the one that it began at is gone. */
function isEventStream({ req: { method, path } }: HttpContext): boolean {
  return method === "GET" && /^\/thread\/[\w-]+\/events$/.test(path);
}

/** Sees to it that a request for a thread or a sandbox is answered by the server that has it. */
export function leadToOwner(parts: Forwarding): MiddlewareHandler<HttpEnvironment> {
  return async (c, next) => {
    const key = keyOf(c);
    const forwarded = key && (await lead(parts, c, key));
    if (forwarded) return forwarded;
    await next();
    if (c.get("forwarded") && isNotOwner(c.error)) c.res.headers.set(notOwnerHeader, "yes");
    return undefined;
  };
}

/** The answer of the server that has it; undefined when that is this one, which then keeps it while it answers. */
export async function lead(
  { directory, forwarder }: Pick<Forwarding, "directory" | "forwarder">,
  c: HttpContext,
  key: LeaseKey,
  instead?: ReadRequest,
): Promise<Response | undefined> {
  const isForwarded = c.get("forwarded") !== undefined;
  const location = await directory.find(key, { isForwarded });
  if (location.kind !== "here" && isForwarded) throw notHere();
  if (location.kind === "elsewhere") {
    c.set("route", "(forwarded)");
    return forwarder.forward(c, key, location.server, instead);
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
