import type { IncomingMessage } from "node:http";
import type { AnswerHeadOptions } from "@atoll/sandbox/http-proxying";
import type { PreviewAddress } from "./address.ts";

/** They describe the content, and do nothing to the origin that it comes from. */
const describing = new Set([
  "accept-ranges",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-max-age",
  "age",
  "allow",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "content-range",
  "content-type",
  "date",
  "etag",
  "expires",
  "last-modified",
  "location",
  "retry-after",
  "sec-websocket-accept",
  "sec-websocket-extensions",
  "sec-websocket-protocol",
  "sec-websocket-version",
  "server-timing",
  "vary",
  "x-content-type-options",
]);

/** A web server in front of this one takes them for orders: to give out a file of its own, or to ask elsewhere. */
const ordersToProxies = /^x-(accel-|atoll-|lighttpd-|litespeed-|reproxy-|sendfile)/;

/**
 * Below the server's own address a page gets no origin: it can read and send nothing in the user's name. What is shown is
 * being worked on: browsers keep it only if the program says so, or a file changed twice in a second would be seen once.
 */
export function limitAnswer(
  { form }: Pick<PreviewAddress, "form">,
  { headers }: IncomingMessage,
): AnswerHeadOptions {
  const caching = headers["cache-control"] === undefined ? { "cache-control": "no-store" } : undefined;
  if (form === "host") return { isKept: (name) => !ordersToProxies.test(name), headers: { ...caching } };
  return {
    isKept: (name) => describing.has(name),
    headers: { ...caching, "content-security-policy": pagePolicy },
  };
}

/** Of a page below the server's own address. */
const pagePolicy = "sandbox allow-scripts allow-forms allow-popups allow-downloads allow-modals";
