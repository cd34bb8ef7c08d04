import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ErrorBody } from "@atoll/protocol";
import { type HttpContext, nodeObjects } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { securityHeaders } from "../security/headers.ts";
import { HEARTBEAT_MS } from "./heartbeat.ts";
import { type Channel, NodeChannel, WebChannel } from "./channel.ts";

const headers = {
  ...securityHeaders,
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Every open event stream: they share one heartbeat and end together when the server does. */
export class Channels {
  readonly #open = new Set<Channel>();
  readonly #heartbeatMs: number;
  /** A failure in the middle of a stream, in the words of every other failure. */
  readonly describe: (error: unknown) => ErrorBody;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: { heartbeatMs?: number | undefined; describe: (error: unknown) => ErrorBody }) {
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.describe = options.describe;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Starts an answer that is a stream of events; `write` goes on after the handler has returned. */
  start(c: HttpContext, write: (channel: Channel) => Promise<void>): Response {
    if (this.#isClosed) throw new ApiError("shutting_down", "the server is about to end");
    if (c.req.method === "HEAD") return new Response(null, { headers });
    const { outgoing } = nodeObjects(c);
    const channel = outgoing ? new NodeChannel(outgoing, headers) : new WebChannel();
    this.#keep(channel);
    write(channel)
      .catch(() => {}) // A source that fails ends the stream; the reader comes back with its last id.
      .finally(() => channel.end());
    return channel instanceof WebChannel
      ? new Response(channel.body, { headers })
      : RESPONSE_ALREADY_SENT.clone();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const channel of this.#open) channel.end();
  }

  #keep(channel: Channel): void {
    this.#open.add(channel);
    channel.signal.addEventListener("abort", () => {
      this.#open.delete(channel);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => {
      for (const each of this.#open) each.beat();
    }, this.#heartbeatMs).unref();
  }
}
