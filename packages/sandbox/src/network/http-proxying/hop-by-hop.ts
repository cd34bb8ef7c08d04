/** A header's name and value. */
export type Header = readonly [name: string, value: string];

/** Of one connection, not of the message; body framing is written again for the next hop. */
const hopByHop = new Set([
  "connection",
  // Answered by this hop, which sends the body on as it comes.
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Of the message, whatever `Connection` says: without them a body has no end, a request no receiver or no sender. */
const endToEnd =
  /^(content-|sec-|x-atoll-|x-forwarded-|access-control-)|^(authorization|cache-control|cookie|date|forwarded|host|location|origin|referer|set-cookie|vary)$/;

/** Takes names and values in turn, as Node gives them, and leaves out those that end at this hop. */
export function listEndToEnd(rawHeaders: readonly string[], without: readonly string[] = []): Header[] {
  const headers = pairUp(rawHeaders);
  const dropped = new Set([...hopByHop, ...namedByConnection(headers), ...without]);
  return headers.filter(([name]) => !dropped.has(name.toLowerCase()));
}

function namedByConnection(headers: readonly Header[]): string[] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(",").map((part) => part.trim().toLowerCase()));
  return named.filter((name) => !endToEnd.test(name));
}

function pairUp(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  return headers;
}
