import { type Answer, AtollClient, type History, type NewThread, type StoredEvent } from "@atoll/client";
import { EventStream } from "./event-stream.ts";

/** A user of one thread, over HTTP. Survives its server: `moveTo` the next one. */
export class ThreadUser {
  readonly threadId: string;
  client: AtollClient;
  #url: string;

  static async create(url: string, thread: NewThread = {}): Promise<ThreadUser> {
    const { thread_id } = await new AtollClient({ baseUrl: url }).threads.create(thread);
    return new ThreadUser(url, thread_id);
  }

  constructor(url: string, threadId: string) {
    this.threadId = threadId;
    this.#url = url;
    this.client = new AtollClient({ baseUrl: url });
  }

  get url(): string {
    return `${this.#url}/thread/${this.threadId}`;
  }

  moveTo(url: string): void {
    this.#url = url;
    this.client = new AtollClient({ baseUrl: url });
  }

  /** Waits for the whole answer. */
  ask(message: string): Promise<Answer> {
    return this.client.threads.send(this.threadId, message);
  }

  /** The stream of its answer. After the `message` event, the message is accepted. */
  send(message: string, mode?: "queue" | "steer"): Promise<EventStream> {
    return EventStream.open(`${this.url}/message/stream`, { body: { message, mode } });
  }

  follow({ after, lastEventId }: { after?: number; lastEventId?: number } = {}): Promise<EventStream> {
    const query = after === undefined ? "" : `?after=${after}`;
    return EventStream.open(`${this.url}/events${query}`, lastEventId === undefined ? {} : { lastEventId });
  }

  stop(): Promise<{ was_running: boolean }> {
    return this.client.threads.stop(this.threadId);
  }

  async history(): Promise<History["messages"]> {
    return (await this.client.threads.history(this.threadId)).messages;
  }

  /** All that is stored. */
  async log(): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let after = 0; ;) {
      const page = await this.client.threads.readEvents(this.threadId, { after, limit: 5000 });
      events.push(...page.events);
      if (!page.has_more) return events;
      after = page.next_after;
    }
  }

  /** Waits until nothing runs and nothing waits in the thread. */
  async untilIdle(): Promise<void> {
    const stream = await this.follow();
    const isIdle = async () => {
      const { run, queued } = await this.client.threads.status(this.threadId);
      return run === null && queued.length === 0;
    };
    for (let seen = 0; !(await isIdle()); seen += 1) {
      await stream.until("done", (event) => stream.of("done").indexOf(event) >= seen);
    }
    stream.close();
  }
}
