import { getRequestListener, RequestError } from "@hono/node-server";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, BlockList, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Previews } from "../previews/previews.ts";
import { runEndable } from "../../last-resort.ts";
import type { App } from "../app.ts";
import { ConnectionShares } from "./connection-shares.ts";
import { ApiError } from "../errors/api-error.ts";
import { closeLingering } from "./lingering-close.ts";
import { readOpenFilesLimit } from "./open-files.ts";
import { dropStuckReaders } from "./slow-clients.ts";

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** Takes no more, ends event streams, waits a little for the requests under way. May be called again. */
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Default 30 s; for a client's headers, and for one that does not read its answer. */
  readonly idleMs?: number;
  /** How long requests under way have at the end. Default 3 s. */
  readonly graceMs?: number;
  /** Default 4096, or half of the files that this process may have open: sandboxes and the store need some, too. */
  readonly maxConnections?: number;
  /** Whose connections are those of many clients. */
  readonly trustedProxies?: BlockList;
  /** Takes the requests for what programs in sandboxes serve. */
  readonly previews?: Previews;
}

const spareConnections = 64;

/** Puts the app on a socket. Rejects when the address cannot be had, in words that say what to change. */
export async function serve(app: App, options: ServeOptions): Promise<Serving> {
  const { host, port, idleMs = 30_000, graceMs = 3000, previews } = options;
  const maxConnections = options.maxConnections ?? chooseMaxConnections();
  const answer = getRequestListener((request, environment) => app.fetch(request, environment), {
    errorHandler: (error) => app.renderFailure(error instanceof RequestError ? badRequest(error) : error),
  });
  const shares = new ConnectionShares({ maxConnections, trustedProxies: options.trustedProxies });
  const listener: RequestListener = (request, response) => {
    shares.use(request, response);
    runEndable(response, () => {
      if (!previews?.handle(request, response)) void answer(request, response);
    });
  };
  const server = createServer(
    {
      headersTimeout: idleMs,
      // A long upload is right; one that stands still is ended where the body is read.
      requestTimeout: 0,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(idleMs, 5000),
      maxHeaderSize: 16_384,
      requireHostHeader: false,
      noDelay: true,
      shouldUpgradeCallback: (request) => previews?.takesUpgrade(request) ?? false,
      highWaterMark: 65_536,
    },
    listener,
  );
  // The shares keep to the limit; this one holds if connections come faster than others end.
  server.maxConnections = maxConnections + spareConnections;
  shares.watch(server);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuse(app, error, socket));
  // Without a listener Node closes the connection of the one, and answers the other without a body.
  server.on("connect", (_request, socket: Socket) => {
    const failure = new ApiError("method_not_allowed", "this server is no proxy: it does not take CONNECT");
    sendFailure(app, failure, socket);
  });
  server.on("checkExpectation", listener);
  server.on("upgrade", (request, stream: Duplex, head: Buffer) => {
    shares.use(request);
    runEndable(stream, () => previews?.handleUpgrade(request, stream, head));
  });
  closeLingering(server);
  await listen(server, host, port);
  const stopWatching = dropStuckReaders(server, idleMs);
  const { port: bound } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () => (closing ??= close(server, app, graceMs).finally(stopWatching)),
  };
}

function chooseMaxConnections(): number {
  return Math.min(4096, Math.floor((readOpenFilesLimit() ?? Infinity) / 2));
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // It stays: a connection that cannot be accepted, e.g. for want of descriptors, is an error, too.
  server.on("error", (error: NodeJS.ErrnoException) => {
    const words: Record<string, string> = {
      EADDRINUSE: `port ${port} is in use: end what uses it, or set PORT`,
      EACCES: `port ${port} may not be used by this user: set PORT to one above 1023`,
      EADDRNOTAVAIL: `this machine has no address ${host}: set HOST`,
      ENOTFOUND: `there is no host ${host}: set HOST`,
    };
    reject(
      new Error(words[error.code ?? ""] ?? `cannot listen on ${host}:${port}: ${error.message}`, {
        cause: error,
      }),
    );
  });
  server.listen(port, host, resolve);
  await promise;
}

async function close(server: Server, app: App, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  app.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await closed;
  clearTimeout(timer);
  clearInterval(sweep);
}

function badRequest(error: RequestError): ApiError {
  return new ApiError("bad_request", `the request cannot be read: ${error.message}`, { cause: error });
}

/** What Node's own parser refuses never becomes a request; it gets the same kind of answer. */
function refuse(app: App, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const failure =
    error.code === "HPE_HEADER_OVERFLOW"
      ? new ApiError("headers_too_large", "the headers are larger than 16384 bytes")
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? new ApiError("request_timeout", "the headers did not come in time")
        : error.code === "HPE_INVALID_URL"
          ? new ApiError("bad_request", "the address has a character that HTTP does not allow there", {
              hint: "Write letters outside of ASCII and blanks percent-encoded, e.g. %E6%95%B0 (curl: --data-urlencode with -G).",
            })
          : new ApiError("bad_request", "this is not a request that HTTP knows");
  sendFailure(app, failure, socket);
}

/** The connection ends in a moment, also if its client does not end it. */
function sendFailure(app: App, failure: ApiError, socket: Socket): void {
  const response = app.renderFailure(failure);
  socket.on("error", () => {});
  void response.text().then((text) => {
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    const length = Buffer.byteLength(text);
    socket.write(
      `HTTP/1.1 ${response.status} Refused\r\n${headers}content-length: ${length}\r\nconnection: close\r\n\r\n${text}`,
    );
    socket.destroySoon();
  });
}
