import { readEvents } from "./events.ts";
import type { BrowserInput, BrowserState } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** What a viewer is shown: the page in front, or that no browser runs. */
export type BrowserView =
  | (BrowserState & {
      readonly type: "frame";
      /** In base64. */
      readonly jpeg: string;
      /** In the page's pixels, in which input is given. */
      readonly width: number;
      readonly height: number;
    })
  | { readonly type: "off" };

/** The browsers of threads, to watch and to take over. */
export class Browsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Until the signal aborts, the caller stops reading or the server ends. Never starts the browser. */
  async *watch(threadId: string, { signal }: CallOptions = {}): AsyncGenerator<BrowserView, void> {
    const response = await this.#transport.send("watchBrowser", {
      params: { thread_id: threadId },
      headers: { accept: "text/event-stream" },
      signal,
    });
    yield* readEvents<BrowserView>(response);
  }

  /** As a person does. Starts the browser when none runs. */
  use(threadId: string, input: BrowserInput, { signal }: CallOptions = {}): Promise<BrowserState> {
    return this.#transport.call("useBrowser", { params: { thread_id: threadId }, body: input, signal });
  }
}
