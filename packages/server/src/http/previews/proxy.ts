import { type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { type Duplex, pipeline } from "node:stream";
import { pipeline as finished } from "node:stream/promises";
import {
  endToEndRequest,
  formatAnswerHead,
  ProxyingError,
  receiveAnswer,
  receiveUpgrade,
  writeAnswerHead,
} from "@atoll/sandbox/http-proxying";
import type { PreviewAddress } from "./address.ts";
import { limitAnswer } from "./response-limits.ts";
import { endSoon } from "./failure.ts";

/** One connection to the program inside for each request. */
export async function passOn(
  address: PreviewAddress,
  request: IncomingMessage,
  response: ServerResponse,
  connect: () => Promise<Duplex>,
): Promise<void> {
  const { method, headers, hasBody } = describeInside(address, request);
  const inside = await open(connect, response);
  const outgoing = send({
    createConnection: () => inside,
    method,
    path: address.target,
    headers: [...headers, "connection", "close"],
    setHost: false,
  });
  const answered = receiveAnswer(outgoing);
  response.once("close", () => outgoing.destroy());
  if (hasBody) pipeline(request, outgoing, () => {});
  else outgoing.end();
  const answer = await answered;
  writeAnswerHead(response, answer, limitAnswer(address, answer));
  pipeline(answer, response, () => {});
}

/** The program's answer is read as a head. Once it has switched, nothing in between reads what the two say. */
export async function passOnUpgrade(
  address: PreviewAddress,
  request: IncomingMessage,
  { stream, head, connect }: { stream: Duplex; head: Buffer; connect: () => Promise<Duplex> },
): Promise<void> {
  const protocol = request.headers.upgrade ?? "";
  const { method, headers, hasBody } = describeInside(address, request);
  if (hasBody) throw new ProxyingError(400, "a request for an upgrade has no body");
  const outgoing = send({
    createConnection: await open(connect, stream).then((inside) => () => inside),
    method,
    path: address.target,
    headers: [...headers, "connection", "Upgrade", "upgrade", protocol],
    setHost: false,
  });
  const answered = receiveUpgrade(outgoing, protocol);
  stream.once("close", () => outgoing.destroy());
  outgoing.end();
  const { answer, ...switched } = await answered;
  stream.write(formatAnswerHead(answer, limitAnswer(address, answer)));
  if (!switched.stream) {
    // A broken answer breaks the connection off, so that half of it is not taken for all.
    await finished(answer, stream, { end: false }).catch(() => stream.destroy());
    return endSoon(stream);
  }
  if (switched.head.length > 0) stream.write(switched.head);
  if (head.length > 0) switched.stream.write(head);
  pipeline(stream, switched.stream, () => {});
  pipeline(switched.stream, stream, () => {});
}

/** Ends with the client. */
async function open(connect: () => Promise<Duplex>, client: Duplex | ServerResponse): Promise<Duplex> {
  const inside = await connect();
  inside.on("error", () => {});
  client.once("close", () => inside.destroy());
  if (client.closed) inside.destroy();
  return inside;
}

/** As if the browser were inside: servers for development answer to their own name only. No secret of ours gets in. */
function describeInside({ form, port }: PreviewAddress, request: IncomingMessage) {
  const { headers, rawHeaders } = request;
  // Gone by name, and therefore not to go on: the token that opened this, and what servers say to each other.
  const removed = rawHeaders
    .map((name) => name.toLowerCase())
    .filter((name, index) => index % 2 === 0 && !(name in headers));
  const without = ["host", "origin", "cookie", "authorization", "x-forwarded-host", ...removed];
  const passed = endToEndRequest(request, { without });
  const cookie = form === "host" ? withoutOwnCookies(headers.cookie ?? "") : "";
  const own = {
    host: `localhost:${port}`,
    "x-forwarded-host": headers.host ?? "",
    ...(headers.origin === undefined ? {} : { origin: `http://localhost:${port}` }),
    ...(cookie === "" ? {} : { cookie }),
    // The first of several, which is the one that was looked at.
    ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
  };
  return { ...passed, headers: [...Object.entries(own).flat(), ...passed.headers] };
}

export function withoutOwnCookies(cookie: string): string {
  const pairs = cookie.split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair !== "" && !pair.startsWith("atoll_")).join("; ");
}
