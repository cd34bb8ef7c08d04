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
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((part) => part.trim().toLowerCase()));
  const dropped = new Set([...hopByHop, ...named, ...also]);
  return pairs.filter(([name]) => !dropped.has(name.toLowerCase())).flat();
}

function pairUp(rawHeaders: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  return pairs;
}
