import { type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { type Duplex, pipeline } from "node:stream";
import {
  endToEndRequest,
  formatAnswerHead,
  ProxyingError,
  receiveUpgrade,
  writeAnswerHead,
} from "@atoll/sandbox/http-proxying";
import { PreviewFailure } from "../previews/failure.ts";
import type { PreviewAddress } from "../previews/address.ts";
import { limitAnswer } from "../previews/response-limits.ts";
import { withoutOwnCookies } from "../previews/proxy.ts";
import type { LeaseKey, ServerRecord } from "../../cluster/contract.ts";
import type { Directory } from "../../cluster/directory.ts";
import { passOn } from "./exchange.ts";
import { isFramedAs } from "./request-body.ts";
import { forwardedHeader, type Forwarded, type Signatures, type Verified } from "./signature.ts";

export interface PreviewForwardingOptions {
  readonly directory: Directory;
  readonly signatures: Signatures;
  isThread(id: string): Promise<boolean>;
}

/** Where a preview's request goes, after its pass, host and rate have been checked here. */
export interface PreviewWay extends Pick<Forwarded, "isAuthenticated" | "client"> {
  readonly server: ServerRecord;
  readonly address: PreviewAddress;
}

/** Requests for what a program in a sandbox serves, on their way to the server that has the sandbox. */
export class PreviewForwarding {
  readonly #options: PreviewForwardingOptions;

  constructor(options: PreviewForwardingOptions) {
    this.#options = options;
  }

  /** What the server that passes the request on says of it; undefined: it comes from a client. */
  recognise(request: IncomingMessage, purpose: PreviewPurpose): Verified | undefined {
    const given = request.headers[forwardedHeader];
    if (given === undefined) return undefined;
    // Not for the program inside.
    delete request.headers[forwardedHeader];
    const forwarded = this.#options.signatures.verify(String(given), describe(request), [purpose]);
    if (forwarded && isFramedAs(forwarded.body, request.headers)) return forwarded;
    throw new PreviewFailure(
      403,
      "This request was not signed by a server of this installation.",
      "Leave the header out.",
    );
  }

  /** The server that has the sandbox; undefined: it is this one, or has to be. */
  async findServer(id: string): Promise<ServerRecord | undefined> {
    const { directory, isThread } = this.#options;
    const key: LeaseKey = (await isThread(id)) ? `thread:${id}` : `sandbox:${id}`;
    const location = await directory.find(key);
    return location.kind === "elsewhere" ? location.server : undefined;
  }

  async serve(way: PreviewWay, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, target, headers, hasBody } = this.#sign(way, request, "preview");
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const answer = await passOn({
      url: way.server.url,
      method,
      target,
      headers,
      body: hasBody ? request : undefined,
      signal: gone.signal,
    });
    // What the other server has done to the answer is done again: here is the origin that it would speak for.
    writeAnswerHead(response, answer, limitAnswer(way.address, answer));
    response.flushHeaders();
    pipeline(answer, response, () => {});
  }

  /** Nothing of what follows the request's head goes on before the other side has switched. */
  async upgrade(way: PreviewWay, request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const protocol = request.headers.upgrade ?? "websocket";
    const { method, target, headers } = this.#sign(way, request, "upgrade");
    const url = new URL(way.server.url);
    const outgoing = (url.protocol === "https:" ? requestHttps : requestHttp)({
      hostname: url.hostname.replaceAll(/^\[|\]$/g, ""),
      port: url.port,
      method,
      path: target,
      headers: [...headers, "connection", "Upgrade", "upgrade", protocol],
      setHost: false,
      agent: false,
    });
    stream.once("close", () => outgoing.destroy());
    outgoing.end();
    const answered = await receiveUpgrade(outgoing, protocol);
    stream.write(formatAnswerHead(answered.answer, limitAnswer(way.address, answered.answer)));
    if (!answered.stream) return void pipeline(answered.answer, stream, () => {});
    const inside = answered.stream;
    if (answered.head.length > 0) stream.write(answered.head);
    if (head.length > 0) inside.write(head);
    pipeline(stream, inside, () => {});
    pipeline(inside, stream, () => {});
  }

  #sign(
    { server, address, isAuthenticated, client }: PreviewWay,
    request: IncomingMessage,
    purpose: PreviewPurpose,
  ) {
    const { headers, hasBody } = limitRequest(address, request, purpose);
    const seen = describe(request);
    const body = hasBody ? "stream" : "none";
    const signed = this.#options.signatures.sign({ ...seen, purpose, isAuthenticated, client, body }, server);
    return { ...seen, headers: [...headers, ...signed.headers], hasBody };
  }
}

type PreviewPurpose = "preview" | "upgrade";

function describe({ method = "", url = "", headers }: IncomingMessage) {
  return { method, target: url, host: headers.host ?? "" };
}

/** Our own credentials stay here; those for the program inside go on. */
function limitRequest({ form }: PreviewAddress, request: IncomingMessage, purpose: PreviewPurpose) {
  const { headers, url = "" } = request;
  if (!url.startsWith("/")) throw new ProxyingError(400, "the address of a preview is a path");
  const without = [forwardedHeader, "cookie", "authorization"];
  const passed = endToEndRequest(request, { without, ...(purpose === "upgrade" ? { bodyBytes: 0 } : {}) });
  const cookie = form === "host" ? withoutOwnCookies(headers.cookie ?? "") : "";
  const own = {
    ...(cookie === "" ? {} : { cookie }),
    // By name it is gone if it is ours.
    ...(headers.authorization === undefined ? {} : { authorization: headers.authorization }),
  };
  const hasBody = purpose === "preview" && passed.hasBody;
  return { headers: [...passed.headers, ...Object.entries(own).flat()], hasBody };
}
