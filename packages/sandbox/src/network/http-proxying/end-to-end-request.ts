import type { IncomingMessage } from "node:http";
import { listEndToEnd } from "./hop-by-hop.ts";
import { ProxyingError } from "./proxying-error.ts";

export interface EndToEndRequest {
  readonly method: string;
  /** Names and values in turn, as `http.request` takes them, with the framing of the body. */
  readonly headers: string[];
  /** False: end the request without a body, or what is written would be read as another request. */
  readonly hasBody: boolean;
}

export interface EndToEndRequestOptions {
  /** Headers that do not go on, in lower case. */
  readonly without?: readonly string[];
  /** The length of a body that replaces the incoming one; 0 for none. */
  readonly bodyBytes?: number;
}

/** They answer with what they were sent, or turn the connection into a tunnel. */
const refusedMethods = new Set(["CONNECT", "TRACE", "TRACK"]);

/**
 * A request as the next hop gets it: without what ends here, its body framed once and exactly as it came. Throws a
 * `ProxyingError` for a request that must not go on.
 */
export function endToEndRequest(
  incoming: Pick<IncomingMessage, "method" | "rawHeaders" | "headers">,
  { without = [], bodyBytes }: EndToEndRequestOptions = {},
): EndToEndRequest {
  const { method = "GET", rawHeaders } = incoming;
  if (refusedMethods.has(method.toUpperCase()))
    throw new ProxyingError(405, `requests with ${method} are not passed on`);
  const headers = listEndToEnd(rawHeaders, ["content-length", ...without]);
  if (headers.filter(([name]) => name.toLowerCase() === "host").length > 1)
    throw new ProxyingError(400, "the request names more than one host");
  const framing = bodyBytes === undefined ? framingOf(incoming.headers) : lengthOf(bodyBytes);
  // A length of 0 keeps Node from saying `chunked` of a body that is not there.
  return {
    method,
    headers: [...headers.flat(), ...(framing ?? (isBodiless.test(method) ? [] : lengthOf(0)))],
    hasBody: framing !== undefined && framing[1] !== "0",
  };
}

const isBodiless = /^(GET|HEAD|DELETE|OPTIONS)$/;

/**
 * Node frames a body of GET, HEAD, DELETE and OPTIONS only if a header says how: otherwise it writes it bare, and the
 * other side takes it for the next request.
 */
function framingOf({ "transfer-encoding": encoding, "content-length": length }: IncomingMessage["headers"]) {
  if (encoding === undefined) return length === undefined ? undefined : lengthOf(length);
  if (encoding.trim().toLowerCase() !== "chunked")
    throw new ProxyingError(501, "of all transfer encodings only chunked is passed on");
  return ["transfer-encoding", "chunked"];
}

function lengthOf(length: number | string): string[] {
  if (!/^\d{1,15}$/.test(String(length))) throw new ProxyingError(400, "the length of the body is no number");
  return ["content-length", String(length)];
}
