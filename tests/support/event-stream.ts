import { type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { StoredEvent } from "@atoll/client";

type EventType = StoredEvent["type"];
type EventOf<Type extends EventType> = Extract<StoredEvent, { type: Type }>;

export interface EventStreamOptions {
  /** Sent as JSON with POST; without it, GET. */
  body?: unknown;
  lastEventId?: number;
}

/**
 * A reader of server-sent events that does nothing but read: it does not come back by itself and drops nothing, so that
 * what is lost or doubled on the wire is seen.
 */
export class EventStream {
  /** As they came. */
  readonly events: StoredEvent[] = [];
  /** The `id:` and `event:` lines, as they came. */
  readonly labels: { id: number; type: string }[] = [];
  /** Resolves when the server has ended the stream or the connection is gone. */
  readonly ended: Promise<void>;
  readonly #response: IncomingMessage;
  readonly #watchers = new Set<() => void>();
  #comments = 0;
  #isEnded = false;
  #rest = "";

  /** Resolves with the headers. Rejects with the server's words when it refuses. */
  static async open(url: string, { body, lastEventId }: EventStreamOptions = {}): Promise<EventStream> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = request(url, {
      method: body === undefined ? "GET" : "POST",
      agent: false,
      headers: {
        accept: "text/event-stream",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) }),
      },
    });
    outgoing.once("response", resolve).once("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await promise;
    if (response.statusCode === 200) return new EventStream(response);
    throw new Error(`${response.statusCode} ${await readText(response)}`);
  }

  private constructor(response: IncomingMessage) {
    this.#response = response;
    this.ended = new Promise((resolve) => response.once("close", resolve));
    response.on("error", () => {});
    response.once("close", () => {
      this.#isEnded = true;
      this.#notify();
    });
    response.setEncoding("utf8").on("data", (part: string) => this.#read(part));
  }

  get lastId(): number {
    return this.events.at(-1)?.id ?? 0;
  }

  get text(): string {
    return this.of("token")
      .map((event) => event.text)
      .join("");
  }

  of<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** The first event of this type, past or to come, that the condition holds for. */
  async until<Type extends EventType>(
    type: Type,
    isMeant: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    return this.#find(`${type} event`, () => this.of(type).find(isMeant));
  }

  /** A line that is no event, as a heartbeat is. */
  async untilComment(): Promise<void> {
    await this.#find("comment", () => (this.#comments > 0 ? true : undefined));
  }

  async untilText(text: string): Promise<void> {
    await this.#find(`text ${JSON.stringify(text)}`, () => (this.text.includes(text) ? true : undefined));
  }

  /** Breaks the connection, as a closed tab does. */
  close(): void {
    this.#response.destroy();
  }

  async #find<Found>(what: string, find: () => Found | undefined): Promise<Found> {
    for (let found = find(); ; found = find()) {
      if (found !== undefined) return found;
      if (this.#isEnded) {
        throw new Error(`the stream ended without a ${what}: ${JSON.stringify(this.events.slice(-10))}`);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#watchers.add(resolve);
      await promise;
      this.#watchers.delete(resolve);
    }
  }

  #read(part: string): void {
    const frames = (this.#rest + part).split("\n\n");
    this.#rest = frames.pop() ?? "";
    for (const frame of frames) this.#take(frame);
    this.#notify();
  }

  #take(frame: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
    const data = field("data");
    if (data === undefined) {
      this.#comments += 1;
      return;
    }
    this.events.push(JSON.parse(data) as StoredEvent);
    this.labels.push({ id: Number(field("id")), type: field("event") ?? "" });
  }

  #notify(): void {
    for (const wake of this.#watchers) wake();
  }
}
