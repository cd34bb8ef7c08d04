import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { receiveAnswer } from "@atoll/sandbox/http-proxying";

export interface PassedOn {
  /** Of the server: where it is reached. */
  readonly url: string;
  readonly method: string;
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** A stream has a connection of its own: whatever becomes of it, nothing follows it. */
  readonly body?: Buffer | Readable | undefined;
  /** Gives up: the client is gone, or the server is. */
  readonly signal: AbortSignal;
}

/** No answer came. `wasSent`: the other server may have seen the request. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  readonly wasSent: boolean;

  constructor(wasSent: boolean, cause: unknown) {
    super("the other server gave no answer", { cause });
    this.wasSent = wasSent;
  }
}

const connectTimeoutMs = 3000;
const agents = {
  "http:": new HttpAgent({ keepAlive: true, maxFreeSockets: 256 }),
  "https:": new HttpsAgent({ keepAlive: true, maxFreeSockets: 256 }),
};

/** Asks another server. Resolves with the head of its answer; rejects with a `NoAnswerError`. */
export async function passOn({
  url,
  method,
  target,
  headers,
  body,
  signal,
}: PassedOn): Promise<IncomingMessage> {
  const { protocol, hostname, port } = new URL(url);
  const isHttps = protocol === "https:";
  const isStream = body !== undefined && !(body instanceof Buffer);
  let wasSent = false;
  try {
    const outgoing = (isHttps ? requestHttps : requestHttp)({
      agent: isStream ? false : agents[isHttps ? "https:" : "http:"],
      hostname: hostname.replace(/^\[|\]$/g, ""),
      port,
      method,
      path: target,
      headers: headers as string[],
      setHost: false,
      signal,
    });
    const answered = receiveAnswer(outgoing);
    // Awaited below; until then its failure is nobody's.
    answered.catch(() => {});
    const timer = setTimeout(() => outgoing.destroy(new Error("no connection in time")), connectTimeoutMs);
    const connected = new Promise<void>((resolve) => {
      outgoing.once("socket", (socket) => {
        if (!socket.connecting) return resolve();
        socket.once(isHttps ? "secureConnect" : "connect", resolve);
      });
    });
    await Promise.race([connected, answered]).finally(() => clearTimeout(timer));
    wasSent = true;
    if (isStream) pipeline(body, outgoing, () => {});
    else outgoing.end(body);
    return await answered;
  } catch (cause) {
    throw new NoAnswerError(wasSent, cause);
  }
}
