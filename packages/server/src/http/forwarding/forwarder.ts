import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { endToEndRequest, ProxyingError, writeAnswerHead } from "@atoll/sandbox/http-proxying";
import { pipeline } from "node:stream";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type HttpContext, nodeObjects } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { securityHeaders } from "../security/headers.ts";
import type { LeaseKey, ServerRecord } from "../../cluster/contract.ts";
import type { Directory } from "../../cluster/directory.ts";
import { relayEvents } from "./event-relay.ts";
import { NoAnswerError, passOn } from "./exchange.ts";
import { isForwardedWithAnswer, isForwardedWithRequest } from "./forwarded-headers.ts";
import { openBody, type RequestBody } from "./request-body.ts";
import { findResumption } from "./resumption.ts";
import { answerHeader, type Forwarded, notOwnerHeader, proveBody, type Signatures } from "./signature.ts";
import { targetOf } from "./target.ts";

export interface ForwarderOptions {
  readonly directory: Directory;
  /** Known once it listens. */
  readonly self: () => ServerRecord;
  readonly signatures: Signatures;
  /** How long a request waits for a server that has what it is for. */
  readonly patienceMs: number;
  /** A client that sends nothing for this long is given up. */
  readonly idleMs: number;
}

const lookAgainMs = 200;

/** What is asked of the other server where this one has read the request's body already. */
export interface ReadRequest {
  /** Default: the same path. */
  readonly target?: string;
  /** As JSON. */
  readonly body?: unknown;
}

/** Passes requests on to the server that has what they are for, and its answers back, as they come. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #closing = new AbortController();
  #count = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Requests that were answered by another server. */
  get count(): number {
    return this.#count;
  }

  /** Ends the event streams that are passed on. */
  close(): void {
    this.#closing.abort();
  }

  /** Answers on Node's own response. The result only tells what was answered. */
  async forward(
    c: HttpContext,
    key: LeaseKey,
    server: ServerRecord,
    instead?: ReadRequest,
  ): Promise<Response> {
    const { incoming, outgoing } = nodeObjects(c);
    if (!incoming || !outgoing)
      throw new ApiError("internal", "only a request from the network can be passed on");
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort(clientGone));
    const request = instead
      ? describeRead(c, incoming, instead)
      : describeUnread(c, incoming, await openBody(c, incoming, this.#options.idleMs));
    const answer = await this.#ask(c, request, key, server, gone.signal);
    this.#count += 1;
    this.#passBack(c, key, answer, outgoing, gone.signal);
    // A clone, since the Node adapter answers its own light kind of response by itself.
    const { headers } = RESPONSE_ALREADY_SENT;
    return new Response(null, { status: answer.statusCode ?? 502, headers }).clone();
  }

  /** Until a server answers that has it. Whatever may have been carried out is not asked for a second time. */
  async #ask(
    c: HttpContext,
    request: PassedRequest,
    key: LeaseKey,
    first: ServerRecord,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { body } = request;
    const isRepeatable = ["GET", "HEAD"].includes(request.method);
    const said = {
      purpose: "request" as const,
      isAuthenticated: c.get("isAuthenticated"),
      client: c.get("client"),
      body: body.kind === "stream" ? ("stream" as const) : proveBody(body.content),
    };
    return this.#untilAnswered(key, first, signal, async (server, signalOfTry) => {
      const answer = await this.#passOn(request, said, server, signalOfTry).catch((error: unknown) => {
        if (signal.aborted) throw new ApiError("aborted", "the client is gone");
        if (error instanceof UnprovenError) return unprovenOf(body);
        if (!(error instanceof NoAnswerError) || (error.wasSent && !isRepeatable)) throw lostOnTheWay(error);
        return undefined;
      });
      if (answer && answer.headers[notOwnerHeader] === undefined) return answer;
      answer?.resume();
      if (answer && body.kind === "stream") throw movedMeanwhile();
      return undefined;
    });
  }

  async #untilAnswered(
    key: LeaseKey,
    first: ServerRecord,
    signal: AbortSignal,
    ask: (server: ServerRecord, signal: AbortSignal) => Promise<IncomingMessage | undefined>,
  ): Promise<IncomingMessage> {
    const { directory, self, patienceMs } = this.#options;
    const until = performance.now() + patienceMs;
    for (let server = first; ;) {
      const answer = await ask(server, AbortSignal.any([signal, directory.whenGone(server.id)]));
      if (answer) return answer;
      directory.forget(key);
      if (performance.now() > until) throw outOfReach();
      await wait(lookAgainMs, undefined, { signal });
      const location = await directory.find(key);
      server = location.kind === "elsewhere" ? location.server : self();
    }
  }

  /** Signed anew each time: a signature is good for one server, once. */
  async #passOn(
    request: PassedRequest,
    said: Omit<Forwarded, "from">,
    server: ServerRecord,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { method, target, host, headers, body } = request;
    const signed = this.#options.signatures.sign({ method, target, host, ...said }, server);
    const answer = await passOn({
      url: server.url,
      method,
      target,
      headers: [...headers, ...signed.headers],
      body: body.content,
      signal,
    });
    if (signed.isAnswered(answer.headers[answerHeader])) return answer;
    answer.destroy();
    throw new UnprovenError();
  }

  #passBack(
    c: HttpContext,
    key: LeaseKey,
    answer: IncomingMessage,
    outgoing: ServerResponse,
    gone: AbortSignal,
  ): void {
    const ours = Object.entries(securityHeaders).filter(([name]) => answer.headers[name] === undefined);
    try {
      writeAnswerHead(outgoing, answer, { isKept: isForwardedWithAnswer, headers: Object.fromEntries(ours) });
    } catch (error) {
      answer.destroy();
      throw lostOnTheWay(error);
    }
    // A body of unknown length may be long in coming; a short one goes out in one piece with its head.
    if (answer.headers["content-length"] === undefined) outgoing.flushHeaders();
    const isStream = answer.headers["content-type"]?.startsWith("text/event-stream") ?? false;
    const resumption = isStream && answer.statusCode === 200 ? findResumption(c) : undefined;
    // A broken source breaks the answer off, so that half of it is not taken for all.
    if (!resumption) return void pipeline(answer, outgoing, () => {});
    const signal = AbortSignal.any([gone, this.#closing.signal]);
    signal.addEventListener("abort", () => answer.destroy(), { once: true });
    void relayEvents({
      outgoing,
      first: answer,
      ...resumption,
      reopen: (after) => this.#reopen(key, resumption.threadId, after, signal),
      signal,
    });
  }

  async #reopen(
    key: LeaseKey,
    threadId: string,
    after: number,
    signal: AbortSignal,
  ): Promise<IncomingMessage | undefined> {
    const host = "localhost";
    const request: PassedRequest = {
      method: "GET",
      target: `/thread/${threadId}/events`,
      host,
      headers: ["accept", "text/event-stream", "last-event-id", String(after), "host", host],
      body: { kind: "kept", content: undefined },
    };
    const said = { purpose: "resumption", isAuthenticated: true, client: "", body: "none" } as const;
    try {
      const location = await this.#options.directory.find(key);
      const first = location.kind === "elsewhere" ? location.server : this.#options.self();
      const answer = await this.#untilAnswered(key, first, signal, async (server, signalOfTry) => {
        const answer = await this.#passOn(request, said, server, signalOfTry).catch(() => undefined);
        const isBusy = answer && (answer.statusCode ?? 500) >= 500;
        if (isBusy) answer.resume();
        return isBusy ? undefined : answer;
      });
      if (answer.statusCode === 200) return answer;
      answer.resume();
    } catch {
      // The client comes back with its last id.
    }
    return undefined;
  }
}

interface PassedRequest {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  /** Names and values in turn, with the framing of the body. */
  readonly headers: readonly string[];
  readonly body: RequestBody;
}

function describeUnread(c: HttpContext, incoming: IncomingMessage, body: RequestBody): PassedRequest {
  const length = body.kind === "kept" ? body.content?.byteLength : undefined;
  return { ...describeHead(incoming, length), target: targetOf(c), body };
}

function describeRead(
  c: HttpContext,
  incoming: IncomingMessage,
  { target = targetOf(c), body }: ReadRequest,
): PassedRequest {
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const head = describeHead(incoming, content?.byteLength ?? 0, ["content-type"]);
  const type = content ? ["content-type", "application/json"] : [];
  return { ...head, target, headers: [...head.headers, ...type], body: { kind: "kept", content } };
}

/** `bodyBytes`: of a body that is sent instead of the incoming one. */
function describeHead(
  incoming: IncomingMessage,
  bodyBytes: number | undefined,
  without: readonly string[] = [],
): Pick<PassedRequest, "method" | "host" | "headers"> {
  const held = Object.keys(incoming.headers).filter((name) => !isForwardedWithRequest(name));
  const options = { without: [...held, ...without], bodyBytes };
  try {
    const { method, headers } = endToEndRequest(incoming, options);
    return { method, headers, host: incoming.headers.host ?? "" };
  } catch (error) {
    if (!(error instanceof ProxyingError)) throw error;
    throw new ApiError(error.status === 405 ? "method_not_allowed" : "bad_request", error.message);
  }
}

/** One for all: every answer ends with it, and a new one each time costs more than the rest of the end. */
const clientGone = new Error("the client is gone");

function lostOnTheWay(cause: unknown): ApiError {
  return new ApiError(
    "unavailable",
    "the server that has this ended before it answered; whether it did what was asked cannot be said",
    { hint: "Look whether it was done before you send it again.", headers: { "retry-after": "1" }, cause },
  );
}

/**
 * The server that answered is not the one that was asked, but perhaps its successor at the same address. Nothing of the
 * answer reaches a client, and nothing was carried out: a server proves itself before it does anything.
 */
class UnprovenError extends Error {}

/** Asked again, wherever it is then; a stream cannot be. */
function unprovenOf(body: RequestBody): undefined {
  if (body.kind === "stream") throw movedMeanwhile();
}

function movedMeanwhile(): ApiError {
  return new ApiError(
    "unavailable",
    "this has just moved to another server; nothing of the request was done",
    {
      hint: "Send it again.",
      headers: { "retry-after": "1" },
    },
  );
}

function outOfReach(): ApiError {
  return new ApiError("unavailable", "the server that has this cannot be reached", {
    hint: "Try again in a moment. If it lasts, see that the servers reach each other at ATOLL_ADVERTISE_URL, share one data folder and one version, and that their clocks agree.",
    headers: { "retry-after": "5" },
  });
}
