import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

const MOST_EVENTS = 1000;
const MOST_CHARS = 2 * 1024 * 1024;

interface StoredEvent {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly chars: number;
}

/** The latest messages of a session, for a client that was cut off and comes back with `Last-Event-ID`. */
export class EventMemory implements EventStore {
  #events: StoredEvent[] = [];
  #chars = 0;
  #last = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const chars = JSON.stringify(message).length;
    this.#last += 1;
    this.#events.push({ number: this.#last, streamId, message, chars });
    this.#chars += chars;
    while (this.#events.length > MOST_EVENTS || (this.#chars > MOST_CHARS && this.#events.length > 1))
      this.#chars -= this.#events.shift()?.chars ?? 0;
    return String(this.#last);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#find(eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#find(lastEventId);
    if (!last) throw new Error("this event is no longer known");
    const missed = this.#events.filter(
      ({ number, streamId }) => number > last.number && streamId === last.streamId,
    );
    // One without a content only opened its stream.
    for (const { number, message } of missed) if ("jsonrpc" in message) await send(String(number), message);
    return last.streamId;
  }

  #find(eventId: string): StoredEvent | undefined {
    return this.#events.find(({ number }) => String(number) === eventId);
  }
}
