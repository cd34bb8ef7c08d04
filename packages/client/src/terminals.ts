import { AtollApiError } from "./errors.ts";
import { readEvents } from "./events.ts";
import type { Terminal as TerminalInfo, TerminalList, TerminalSize } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** What a terminal tells; the last is `exit`. */
export type TerminalEvent =
  | { readonly type: "output"; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly type: "exit"; readonly exit_code: number };

type WireEvent =
  | { readonly type: "output"; readonly offset: number; readonly data: string }
  | { readonly type: "exit"; readonly exit_code: number }
  | { readonly type: "error"; readonly code: string; readonly message: string; readonly hint: string };

const retryMs = 1000;

/** The terminals of one thread. */
export class Terminals {
  readonly #transport: Transport;
  readonly #threadId: string;

  constructor(transport: Transport, threadId: string) {
    this.#transport = transport;
    this.#threadId = threadId;
  }

  list({ signal }: CallOptions = {}): Promise<TerminalList> {
    return this.#transport.call("listTerminals", { params: { thread_id: this.#threadId }, signal });
  }

  async open(size: TerminalSize, { signal }: CallOptions = {}): Promise<Terminal> {
    const params = { thread_id: this.#threadId };
    const { terminal_id: id } = await this.#transport.call("openTerminal", { params, body: size, signal });
    return this.attach(id);
  }

  /** One that is there. */
  attach(terminalId: TerminalInfo["terminal_id"]): Terminal {
    return new Terminal(this.#transport, { thread_id: this.#threadId, terminal_id: terminalId });
  }
}

export class Terminal {
  readonly id: string;
  readonly #transport: Transport;
  readonly #params: { thread_id: string; terminal_id: string };
  #unsent = "";
  #sending: Promise<void> | undefined;

  constructor(transport: Transport, params: { thread_id: string; terminal_id: string }) {
    this.id = params.terminal_id;
    this.#transport = transport;
    this.#params = params;
  }

  /** What it writes, from an offset on, each byte once, also across lost connections, until it ends. */
  async *output({ after = 0, signal }: { after?: number } & CallOptions = {}): AsyncGenerator<
    TerminalEvent,
    void
  > {
    let next = after;
    const isGivenUp = () => signal?.aborted === true;
    while (!isGivenUp()) {
      try {
        const response = await this.#transport.send("followTerminal", {
          params: this.#params,
          query: { after: next },
          headers: { accept: "text/event-stream" },
          signal,
        });
        for await (const event of readEvents<WireEvent>(response)) {
          if (event.type === "error") throw new AtollApiError(410, { ...event, code: "sandbox_dead" });
          if (event.type === "exit") return yield event;
          const bytes = decode(event.data);
          next = event.offset + bytes.length;
          yield { type: "output", offset: event.offset, bytes };
        }
      } catch (error) {
        if (isGivenUp()) return;
        if (error instanceof AtollApiError && !error.isRetryable) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  /** In the order in which it is called. What is typed while an earlier part is on its way goes out together. */
  write(data: string): Promise<void> {
    this.#unsent += data;
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async resize(size: TerminalSize, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call("resizeTerminal", { params: this.#params, body: size, signal });
  }

  /** Ends it, with everything it started. */
  async close({ signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call("closeTerminal", { params: this.#params, signal });
  }

  async #send(): Promise<void> {
    while (this.#unsent !== "") {
      const data = this.#unsent;
      this.#unsent = "";
      await this.#transport.call("writeTerminal", { params: this.#params, body: { data } });
    }
  }
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
