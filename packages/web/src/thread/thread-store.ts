import { AtollApiError, type AtollClient, type StoredEvent } from "@atoll/client";
import { type Conversation, emptyConversation, readEvents } from "./conversation.ts";
import { loadConversation } from "./load-conversation.ts";

export interface ThreadView {
  readonly conversation: Conversation;
  /** `loading`: the stored events are being read. `gone`: the thread does not exist. */
  readonly connection: "loading" | "live" | "gone";
}

const AGAIN_MS = 1500;

/** Follows one thread's log. Events of one frame are applied together, so a fast stream renders once per frame. */
export class ThreadStore {
  readonly #client: AtollClient;
  readonly #threadId: string;
  readonly #listeners = new Set<() => void>();
  #end = new AbortController();
  #view: ThreadView = { conversation: emptyConversation, connection: "loading" };
  #waiting: StoredEvent[] = [];
  #isScheduled = false;

  constructor(client: AtollClient, threadId: string) {
    this.#client = client;
    this.#threadId = threadId;
  }

  /** Follows the log until `close`. */
  open(): void {
    this.#end = new AbortController();
    void this.#follow();
  }

  close(): void {
    this.#end.abort();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ThreadView => this.#view;

  async #follow(): Promise<void> {
    const { signal } = this.#end;
    try {
      const onPage = (conversation: Conversation) => this.#show({ conversation });
      const known = this.#view.conversation;
      const options = { known, signal, onPage };
      const { lastEventId: after } = await loadConversation(this.#client, this.#threadId, options);
      this.#show({ connection: "live" });
      for await (const event of this.#client.threads.events(this.#threadId, { after, signal })) {
        this.#waiting.push(event);
        this.#schedule();
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AtollApiError && error.status === 404) this.#show({ connection: "gone" });
      else setTimeout(() => signal.aborted || void this.#follow(), AGAIN_MS);
    }
  }

  /** A page in the background gets no animation frames, so a timer is used there. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (document.visibilityState === "visible") requestAnimationFrame(() => this.#readWaiting());
    else setTimeout(() => this.#readWaiting(), 250);
  }

  #readWaiting(): void {
    this.#isScheduled = false;
    const events = this.#waiting.splice(0);
    this.#show({ conversation: readEvents(this.#view.conversation, events) });
  }

  #show(change: Partial<ThreadView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
