import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Verified } from "./forwarding/signature.ts";

/** What a request has beside itself. Without Node's objects (in-process requests) everything works through web streams. */
export interface HttpEnvironment {
  Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse };
  Variables: {
    /** The request carries the right token, by header or cookie. */
    isAuthenticated: boolean;
    /** What another server of this installation says of a request that it passes on. */
    forwarded?: Verified;
    /** Whose requests are counted together: the client's address, also of one that asked another server. */
    client: string;
    /** Of the endpoint that answers, for the metrics: never what the client wrote. */
    route: string;
  };
}

export type HttpContext = Context<HttpEnvironment>;

/** Calls back when the whole answer has gone out, or cannot any more. */
export function whenAnswered(c: HttpContext, call: () => void): void {
  const { outgoing } = nodeObjects(c);
  if (outgoing) outgoing.once("close", call);
  else void Promise.resolve().then(call);
}

/** `app.request()` gives no bindings at all. */
export function nodeObjects(c: HttpContext): Partial<HttpEnvironment["Bindings"]> {
  return (c.env as HttpEnvironment["Bindings"] | undefined) ?? {};
}
