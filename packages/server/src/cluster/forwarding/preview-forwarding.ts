import { type IncomingMessage, request as requestHttp, type ServerResponse } from "node:http";
import { request as requestHttps } from "node:https";
import { type Duplex, pipeline } from "node:stream";
import type { LeaseKey, ServerRecord } from "../contract.ts";
import type { Directory } from "../directory.ts";
import { passOn } from "./exchange.ts";
import { withoutHopHeaders } from "../../http/hop-headers.ts";
import { forwardedHeader, signForwarded, verifyForwarded } from "./signature.ts";

export interface PreviewForwardingOptions {
  readonly directory: Directory;
  readonly self: () => ServerRecord;
  readonly secret: Uint8Array;
  isThread(id: string): Promise<boolean>;
}

/** Requests for what a program in a sandbox serves go to the server that has the sandbox, which checks them itself. */
export class PreviewForwarding {
  readonly #options: PreviewForwardingOptions;

  constructor(options: PreviewForwardingOptions) {
    this.#options = options;
  }

  /** Where the server is reached that has it; undefined: it is this one, or has to be. */
  async findServer(id: string, request: IncomingMessage): Promise<string | undefined> {
    const { directory, secret, isThread } = this.#options;
    const { method = "", url: target = "" } = request;
    const given = String(request.headers[forwardedHeader] ?? "");
    // Not for the program inside.
    delete request.headers[forwardedHeader];
    if (verifyForwarded(given, { method, target }, secret)) return undefined;
    const key: LeaseKey = (await isThread(id)) ? `thread:${id}` : `sandbox:${id}`;
    const place = await directory.find(key);
    return place.kind === "elsewhere" ? place.server.url : undefined;
  }

  async serve(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: target = "/", headers } = request;
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    const answer = await passOn({
      url,
      method,
      target,
      headers: [...withoutHopHeaders(request.rawHeaders, [forwardedHeader]), ...this.#sign(request)],
      body: hasBody ? request : undefined,
      signal: gone.signal,
    });
    response.writeHead(answer.statusCode ?? 502, withoutHopHeaders(answer.rawHeaders));
    response.flushHeaders();
    pipeline(answer, response, () => {});
  }

  /** What the two ends then say to each other is nobody's business here. */
  upgrade(url: string, request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { protocol, hostname, port } = new URL(url);
    const outgoing = (protocol === "https:" ? requestHttps : requestHttp)({
      hostname: hostname.replaceAll(/^\[|\]$/g, ""),
      port,
      method: request.method,
      path: request.url,
      headers: [
        ...withoutHopHeaders(request.rawHeaders, [forwardedHeader]),
        "connection",
        "Upgrade",
        "upgrade",
        request.headers.upgrade ?? "websocket",
        ...this.#sign(request),
      ],
      setHost: false,
      agent: false,
    });
    outgoing.once("error", () => stream.destroy());
    stream.once("close", () => outgoing.destroy());
    outgoing.once("upgrade", (answer, inside: Duplex, first: Buffer) => {
      stream.write(headOf(answer));
      if (first.length > 0) stream.write(first);
      if (head.length > 0) inside.write(head);
      pipeline(stream, inside, () => {});
      pipeline(inside, stream, () => {});
    });
    outgoing.once("response", (answer) => {
      stream.write(headOf(answer));
      pipeline(answer, stream, () => {});
    });
    outgoing.end();
  }

  #sign({ method = "GET", url: target = "/" }: IncomingMessage): string[] {
    const { self, secret } = this.#options;
    const request = { method, target, from: self().id, isAuthenticated: false };
    return [forwardedHeader, signForwarded(request, secret)];
  }
}

/** As it came, but for how its body is sent: that one ends with the connection. */
function headOf({ statusCode = 502, statusMessage = "", rawHeaders, headers }: IncomingMessage): string {
  const isUpgrade = statusCode === 101;
  const kept = isUpgrade
    ? [...withoutHopHeaders(rawHeaders), "connection", "Upgrade", "upgrade", headers.upgrade ?? ""]
    : [...withoutHopHeaders(rawHeaders, ["content-length"]), "connection", "close"];
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let index = 0; index + 1 < kept.length; index += 2) lines.push(`${kept[index]}: ${kept[index + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}
