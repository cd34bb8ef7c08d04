import type { IncomingHttpHeaders } from "node:http";

/** Of one connection, not of the message that goes through it. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  // Answered here: the body is sent on as it comes.
  "expect",
]);

/** Names and values in turn, as Node gives and takes them, without those that end at this hop. */
export function withoutHopHeaders(rawHeaders: readonly string[], also: readonly string[] = []): string[] {
  const pairs = pairUp(rawHeaders);
  const connections = pairs.filter(([name]) => name.toLowerCase() === "connection");
  const dropped = new Set([...endingHere(connections.map(([, value]) => value)), ...also]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

/** The same for headers by name. */
export function endToEndHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const dropped = endingHere([headers.connection ?? ""]);
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !dropped.has(name));
  return Object.fromEntries(kept) as Record<string, string | string[]>;
}

/** Those of every hop, and those that `Connection` names. */
function endingHere(connections: readonly string[]): Set<string> {
  const named = connections.flatMap((value) => value.split(",").map((part) => part.trim().toLowerCase()));
  return new Set([...hopByHop, ...named]);
}

function pairUp(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  return pairs;
}
