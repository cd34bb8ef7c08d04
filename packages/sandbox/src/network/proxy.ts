import {
  createServer,
  type IncomingMessage,
  request as sendHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as sendHttps } from "node:https";
import { connect, type Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { EgressOptions, NetworkPolicy } from "../contract/network.ts";
import { Allowance } from "./quota.ts";
import { Credentials } from "./credentials.ts";
import { endToEndRequest, ProxyingError, receiveAnswer, writeAnswerHead } from "./http-proxying/index.ts";
import { Journey } from "./traffic-record.ts";
import { asPlainStream } from "./plain-stream.ts";
import { type Resolve, Refusal, type Route, Routes } from "./route.ts";

/** On what the proxy itself says: no host can make its own words pass for that. */
const refusalHeader = "x-atoll-refusal";
const connectTimeoutMs = 30_000;

/** The only way out of a sandbox: an HTTP proxy, with CONNECT for TLS, that goes where the policy lets it. */
export class EgressProxy {
  readonly #server: Server;
  readonly #routes: Routes;
  readonly #allowance: Allowance;
  readonly #credentials: Credentials;
  readonly #onTraffic: EgressOptions["onTraffic"];
  readonly #streams = new Set<Duplex>();

  constructor(policy: NetworkPolicy, options: EgressOptions = {}, resolve?: Resolve) {
    this.#routes = new Routes(policy, options, resolve);
    this.#allowance = new Allowance(options);
    this.#credentials = new Credentials(options.credentials ?? []);
    this.#onTraffic = options.onTraffic;
    this.#server = createServer({ maxHeaderSize: 65_536, requestTimeout: 0, keepAliveTimeout: 60_000 });
    this.#server.on("request", (request, response) => {
      this.#request(request, response).catch(() => response.destroy());
    });
    this.#server.on("connect", (request, stream, head) => {
      this.#tunnel(request, stream, head).catch(() => stream.destroy());
    });
    // Plain WebSockets are rare; they go through CONNECT as well.
    this.#server.on("upgrade", (_request, stream: Duplex) =>
      answerRaw(stream, new Refusal(501, "use CONNECT")),
    );
    this.#server.on("clientError", (_error, stream: Duplex) =>
      answerRaw(stream, new Refusal(400, "this is no request to a proxy")),
    );
  }

  /** A connection that was made inside. */
  accept(connection: Duplex): void {
    const stream = asPlainStream(connection);
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
    stream.on("error", () => {});
    this.#server.emit("connection", stream);
  }

  close(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#server.close();
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = /^http:\/\//i.test(request.url ?? "") ? URL.parse(request.url ?? "") : null;
    const place = { host: withoutBrackets(url?.hostname ?? ""), port: Number(url?.port || 80) };
    const journey = new Journey(request.method ?? "", place, this.#onTraffic);
    response.on("error", () => {});
    try {
      if (!url) throw new Refusal(400, "this is a proxy: ask for http://host/…, or use CONNECT for https");
      journey.onEnd(this.#allowance.take());
      const credential = this.#credentials.of(place.host);
      const route = await this.#routes.find(credential ? { ...place, port: securePort(place.port) } : place);
      await this.#forward(request, response, { url, route, journey, credential });
    } catch (error) {
      refuse(response, error, journey);
    }
  }

  async #forward(
    request: IncomingMessage,
    response: ServerResponse,
    { url, route, journey, credential }: Forward,
  ): Promise<void> {
    const isSecure = (route.scheme ?? (credential ? "https" : "http")) === "https";
    const own = { host: url.host, ...credential };
    const { method, headers, hasBody } = endToEndRequest(request, {
      without: [refusalHeader, ...Object.keys(own)],
    });
    const stream = await route.open?.();
    stream?.on("error", () => {});
    response.once("close", () => stream?.destroy());
    if (response.closed) throw new Error("the client is gone");
    const outgoing = (isSecure ? sendHttps : sendHttp)({
      host: route.address,
      port: route.port,
      ...(isSecure ? { servername: route.host } : {}),
      method,
      path: url.pathname + url.search,
      headers: [...Object.entries(own).flat(), ...headers],
      // An agent would make a connection of its own.
      ...(stream ? { createConnection: () => stream } : { agent: false }),
      timeout: connectTimeoutMs,
    });
    outgoing.once("timeout", () => outgoing.destroy(new Error(`${route.host} does not answer`)));
    response.once("close", () => outgoing.destroy());
    const answered = receiveAnswer(outgoing);
    if (!hasBody) outgoing.end();
    else
      pipeline(
        request,
        this.#allowance.meter((bytes) => journey.send(bytes)),
        outgoing,
        () => {},
      );
    const answer = await answered;
    outgoing.setTimeout(0);
    writeAnswerHead(response, answer, { isKept: (name) => name !== refusalHeader });
    const meter = this.#allowance.meter((bytes) => journey.receive(bytes));
    pipeline(answer, meter, response, (error) => journey.end(error ? "failed" : "allowed", error?.message));
  }

  async #tunnel(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(request.url ?? "") ?? [];
    const place = { host: withoutBrackets(host), port: Number(port) };
    const journey = new Journey("CONNECT", place, this.#onTraffic);
    try {
      journey.onEnd(this.#allowance.take());
      const route = await this.#routes.find(place);
      const outside = await (route.open?.() ?? dial(route));
      outside.on("error", () => {});
      stream.write("HTTP/1.1 200 Connection established\r\n\r\n");
      outside.write(head);
      journey.send(head.length);
      const ends = { stream, outside, journey };
      this.#join(ends);
    } catch (error) {
      answerRaw(stream, error);
      journey.refuse(error);
    }
  }

  /** Either direction may end first; when both have, or one breaks, it is over. */
  #join({ stream, outside, journey }: { stream: Duplex; outside: Duplex; journey: Journey }): void {
    let open = 2;
    const onEnd = (error?: Error | null) => {
      open -= 1;
      if (error) [stream, outside].forEach((end) => end.destroy());
      if (open === 0) journey.end("allowed");
    };
    pipeline(
      stream,
      this.#allowance.meter((bytes) => journey.send(bytes)),
      outside,
      onEnd,
    );
    pipeline(
      outside,
      this.#allowance.meter((bytes) => journey.receive(bytes)),
      stream,
      onEnd,
    );
  }
}

interface Forward {
  readonly url: URL;
  readonly route: Route;
  readonly journey: Journey;
  readonly credential: Readonly<Record<string, string>> | undefined;
}

/** A host with a credential is asked over TLS, also when code inside wrote `http://`. */
function securePort(port: number): number {
  return port === 80 ? 443 : port;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function dial({ address, port, host }: Route): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, timeout: connectTimeoutMs, allowHalfOpen: true });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.once("error", fail);
    socket.once("timeout", () => fail(new Error(`${host} does not answer`)));
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("error", fail);
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

function refuse(response: ServerResponse, error: unknown, journey: Journey): void {
  journey.refuse(error);
  if (response.headersSent) return void response.destroy();
  const { status, text } = describe(error);
  const headers = { "content-type": "text/plain; charset=utf-8", connection: "close", [refusalHeader]: "1" };
  response.writeHead(status, headers).end(text);
}

function answerRaw(stream: Duplex, error: unknown): void {
  const { status, text } = describe(error);
  if (!stream.writable) return void stream.destroy();
  const headers = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n${refusalHeader}: 1`;
  stream.end(`HTTP/1.1 ${status} Refused\r\n${headers}\r\n\r\n${text}`);
}

function describe(error: unknown): { status: number; text: string } {
  if (error instanceof Refusal || error instanceof ProxyingError)
    return { status: error.status, text: `atoll: ${error.message}\n` };
  const reason = error instanceof Error ? error.message : String(error);
  return { status: 502, text: `atoll: the host cannot be reached: ${reason}\n` };
}
