import { Agent as HttpAgent, type IncomingMessage, request as sendHttp } from "node:http";
import { Agent as HttpsAgent, request as sendHttps } from "node:https";
import { receiveAnswer } from "@atoll/sandbox/http-proxying";

const agents = {
  "http:": new HttpAgent({ keepAlive: true }),
  "https:": new HttpsAgent({ keepAlive: true }),
};

/**
 * `fetch` for the providers' own use: text out, a stream in, on a connection that is kept open. Node's `fetch` takes a
 * millisecond more until the request is on its way, and that is a millisecond before every first token. A redirect is
 * given back, never followed: keys are for this address.
 */
export async function fetchModel(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (input instanceof Request || !isText(init.body)) return fetch(input, { ...init, redirect: "manual" });
  const url = new URL(input);
  if (!isKnownScheme(url.protocol)) return fetch(input, { ...init, redirect: "manual" });
  init.signal?.throwIfAborted();
  const send = url.protocol === "https:" ? sendHttps : sendHttp;
  const request = send(url, {
    method: init.method ?? "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    agent: agents[url.protocol],
  });
  const abort = () => request.destroy();
  init.signal?.addEventListener("abort", abort, { once: true });
  request.once("close", () => init.signal?.removeEventListener("abort", abort));
  const answered = receiveAnswer(request);
  request.end(init.body ?? undefined);
  try {
    return toResponse(await answered, init.signal);
  } catch (cause) {
    request.destroy();
    init.signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause });
  }
}

function toResponse(incoming: IncomingMessage, signal: AbortSignal | null | undefined): Response {
  const status = incoming.statusCode ?? 500;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) incoming.resume();
  const body = hasBody ? decoded(toStream(incoming, signal), incoming.headers["content-encoding"]) : null;
  return new Response(body, { status, statusText: incoming.statusMessage ?? "", headers });
}

function toStream(
  incoming: IncomingMessage,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isOver = false;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      incoming.on("data", (chunk: Buffer<ArrayBuffer>) => {
        if (isOver) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => {
        if (!isOver) controller.close();
        isOver = true;
      });
      incoming.on("error", () => {});
      incoming.once("close", () => {
        if (isOver) return;
        isOver = true;
        const cut = new TypeError("terminated", { cause: new Error("the connection was cut") });
        controller.error(signal?.aborted ? signal.reason : cut);
      });
    },
    pull: () => void incoming.resume(),
    cancel() {
      isOver = true;
      incoming.destroy();
    },
  });
}

/** Nobody is asked to compress; some do. */
function decoded(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  encoding: string | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  if (encoding !== "gzip" && encoding !== "deflate" && encoding !== "br") return stream;
  return stream.pipeThrough(new DecompressionStream(encoding === "br" ? "brotli" : encoding));
}

function isText(body: RequestInit["body"]): body is string | null | undefined {
  return body === undefined || body === null || typeof body === "string";
}

function isKnownScheme(scheme: string): scheme is keyof typeof agents {
  return scheme in agents;
}
