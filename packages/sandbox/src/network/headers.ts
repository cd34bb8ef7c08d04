import type { IncomingHttpHeaders } from "node:http";

/** On what the proxy itself says: no host can make its own words pass for that. */
export const refusalHeader = "x-atoll-refusal";

/** Of one connection only, or for the proxy itself. */
const ownHeaders = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  refusalHeader,
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Those that the other side is meant to see. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept = Object.entries(headers).filter(
    ([name, value]) => value !== undefined && !ownHeaders.has(name) && !named.has(name),
  );
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}
