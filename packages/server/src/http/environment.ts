import type { Context } from "hono";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What a request has beside itself. Without Node's objects (in-process requests) everything works through web streams. */
export interface HttpEnvironment {
  Bindings: { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse };
  Variables: {
    /** The request carries the right token, by header or cookie. */
    isAuthenticated: boolean;
    /** Another server of this installation passes it on, and has checked it. */
    isForwarded?: boolean;
    /** Of the endpoint that answers, for the metrics: never what the client wrote. */
    route: string;
  };
}

export type HttpContext = Context<HttpEnvironment>;

/** `app.request()` gives no bindings at all. */
export function nodeObjects(c: HttpContext): Partial<HttpEnvironment["Bindings"]> {
  return (c.env as HttpEnvironment["Bindings"] | undefined) ?? {};
}
