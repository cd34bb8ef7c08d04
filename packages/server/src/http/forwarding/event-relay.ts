import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type StoredEvent, watchAnswer } from "@atoll/protocol";
import { HEARTBEAT_FRAME, HEARTBEAT_MS } from "../sse/heartbeat.ts";
import { type EventFrame, parseFrame, readFrames } from "./event-frames.ts";

export interface RelayOptions {
  readonly outgoing: ServerResponse;
  /** The answer of the server that has the thread. */
  readonly first: IncomingMessage;
  /** Of a stream that goes on until a message is answered: it begins with that message. */
  readonly isAnswer: boolean;
  /** What the client has already, of a stream that begins with nothing. */
  readonly after: number | undefined;
  /** The thread's events after an id, at whoever has it then. Undefined: it is no more, or cannot be had. */
  reopen(after: number): Promise<IncomingMessage | undefined>;
  /** Aborts when the client is gone or this server ends. */
  readonly signal: AbortSignal;
}

/**
 * Passes a thread's events on. When their source ends before its time, the thread has moved to another server: the
 * stream goes on there, with the event after the last that was passed on.
 */
export async function relayEvents(options: RelayOptions): Promise<void> {
  const { outgoing, isAnswer, signal } = options;
  const isLast = isAnswer ? watchFrames() : () => false;
  let last: number | undefined;
  for (let source: IncomingMessage | undefined = options.first; source && !signal.aborted;) {
    try {
      for await (const frames of readFrames(source)) {
        const fresh = frames.filter(({ id }) => id === undefined || last === undefined || id > last);
        const end = fresh.findIndex(isLast) + 1;
        const passed = end > 0 ? fresh.slice(0, end) : fresh;
        await write(outgoing, passed.map(({ text }) => text).join(""), signal);
        last = passed.findLast(({ id }) => id !== undefined)?.id ?? last;
        if (end > 0) return void outgoing.end();
      }
    } catch {
      // The server that it came from is gone.
    } finally {
      source.destroy();
    }
    if (signal.aborted) break;
    const after = last ?? options.after;
    // Whether the message was taken cannot be said: the client has to look.
    if (after === undefined) return void outgoing.destroy();
    source = await withHeartbeats(outgoing, options.reopen(after));
  }
  outgoing.end();
}

/** Whether a frame ends the answer to the message with which the stream begins. */
function watchFrames(): (frame: EventFrame) => boolean {
  const isAnswerEnd = watchAnswer();
  return (frame) => {
    if (frame.type === undefined) return false;
    return isAnswerEnd({
      type: frame.type,
      get event() {
        return parseFrame(frame) as StoredEvent;
      },
    });
  };
}

async function write(outgoing: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (text === "" || outgoing.write(text) || outgoing.destroyed) return;
  await once(outgoing, "drain", { signal });
}

/** Sends heartbeats while reconnecting so that proxies keep the stream open. */
async function withHeartbeats<Result>(outgoing: ServerResponse, work: Promise<Result>): Promise<Result> {
  const timer = setInterval(() => outgoing.write(HEARTBEAT_FRAME), HEARTBEAT_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
