import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { endToEndHeaders } from "../http/hop-headers.ts";
import type { PreviewAddress } from "./address.ts";

type Headers = ReturnType<typeof endToEndHeaders>;

/** One connection to the program inside for each request. */
export async function passOn(
  address: PreviewAddress,
  request: IncomingMessage,
  response: ServerResponse,
  connect: () => Promise<Duplex>,
): Promise<void> {
  const inside = await connect();
  const answered = Promise.withResolvers<void>();
  const outgoing = send({
    createConnection: () => inside as never,
    method: request.method,
    path: address.target,
    headers: { ...insideHeaders(address, request), connection: "close" },
  });
  outgoing.once("error", answered.reject);
  outgoing.once("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, outsideHeaders(address, answer));
    pipeline(answer, response, () => answered.resolve());
  });
  response.once("close", () => {
    outgoing.destroy();
    answered.resolve();
  });
  pipeline(request, outgoing, () => {});
  await answered.promise;
}

/** From here on the two speak to each other; nothing in between reads it. */
export function passOnUpgrade(
  address: PreviewAddress,
  request: IncomingMessage,
  { stream, head, inside }: { stream: Duplex; head: Buffer; inside: Duplex },
): void {
  const headers = Object.entries({
    ...insideHeaders(address, request),
    connection: "Upgrade",
    upgrade: request.headers.upgrade ?? "websocket",
  }).flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}\r\n`));
  inside.write(`${request.method} ${address.target} HTTP/1.1\r\n${headers.join("")}\r\n`);
  if (head.length > 0) inside.write(head);
  pipeline(stream, inside, () => {});
  pipeline(inside, stream, () => {});
}

/** As if the browser were inside: servers for development answer to their own name only. No secret of ours gets in. */
function insideHeaders({ port }: PreviewAddress, { headers }: IncomingMessage): Headers {
  const { cookie: cookies, ...kept } = endToEndHeaders(headers);
  const cookie = withoutOwnCookies(String(cookies ?? ""));
  const origin = headers.origin === undefined ? {} : { origin: `http://localhost:${port}` };
  return {
    ...kept,
    ...(cookie === "" ? {} : { cookie }),
    ...origin,
    host: `localhost:${port}`,
    "x-forwarded-host": headers.host ?? "",
  };
}

/**
 * Below the server's own address a page gets no origin: it can read and send nothing in the user's name. What is shown is
 * being worked on: browsers keep it only if the program says so, or a file changed twice in a second would be seen once.
 */
function outsideHeaders({ form }: PreviewAddress, answer: IncomingMessage): Headers {
  const kept: Headers = { "cache-control": "no-store", ...endToEndHeaders(answer.headers) };
  if (form === "host") return kept;
  delete kept["set-cookie"];
  return {
    ...kept,
    "content-security-policy": "sandbox allow-scripts allow-forms allow-popups allow-downloads allow-modals",
  };
}

function withoutOwnCookies(cookie: string): string {
  const pairs = cookie.split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair !== "" && !pair.startsWith("atoll_")).join("; ");
}
