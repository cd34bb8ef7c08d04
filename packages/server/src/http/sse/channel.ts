import type { ServerResponse } from "node:http";
import { HEARTBEAT_FRAME } from "./heartbeat.ts";

/** One reader of an event stream. */
export interface Channel {
  /** Aborts when the reader is gone or the stream has ended. */
  readonly signal: AbortSignal;
  /** What is sent in one turn of the event loop goes out together, at its end. */
  send(frame: string): void;
  /** Resolves at once while the reader keeps up, else when it has read what was sent. */
  ready(): Promise<void> | undefined;
  beat(): void;
  end(): void;
}

/** Writes to Node's response: with 500 readers a frame costs a third less than through Hono's stream helper. */
export class NodeChannel implements Channel {
  readonly #response: ServerResponse;
  readonly #gone = new AbortController();
  #batch = "";
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    response.on("close", () => this.#finish());
    response.on("error", () => this.#finish());
    response.on("drain", () => this.#release());
    response.writeHead(200, headers);
    response.flushHeaders();
    if (response.destroyed) this.#finish();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  send(frame: string): void {
    if (this.signal.aborted) return;
    // Runs when the promises that are settled now have been handled: what is there already goes out in one piece.
    if (this.#batch === "") process.nextTick(() => this.#flush());
    this.#batch += frame;
    if (this.#batch.length > 65_536) this.#flush();
  }

  ready(): Promise<void> | undefined {
    return this.#drained?.promise;
  }

  /** A reader that is behind has bytes waiting already: it needs no sign of life. */
  beat(): void {
    if (!this.#drained && this.#batch === "") this.send(HEARTBEAT_FRAME);
  }

  end(): void {
    if (this.signal.aborted) return;
    this.#flush();
    this.#response.end();
    this.#finish();
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = "";
    if (batch === "" || this.signal.aborted || this.#response.destroyed) return;
    if (!this.#response.write(batch)) this.#drained ??= Promise.withResolvers();
  }

  #release(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  #finish(): void {
    this.#gone.abort();
    this.#release();
  }
}

/** For requests within the process, which have no Node response. */
export class WebChannel implements Channel {
  readonly body: ReadableStream<Uint8Array>;
  readonly #gone = new AbortController();
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #drained: PromiseWithResolvers<void> | undefined;

  constructor() {
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#release(),
        cancel: () => this.#finish(),
      },
      { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 1 },
    );
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  send(frame: string): void {
    if (this.signal.aborted) return;
    this.#controller.enqueue(Buffer.from(frame));
    if ((this.#controller.desiredSize ?? 0) <= 0) this.#drained ??= Promise.withResolvers();
  }

  ready(): Promise<void> | undefined {
    return this.#drained?.promise;
  }

  beat(): void {
    if (!this.#drained) this.send(HEARTBEAT_FRAME);
  }

  end(): void {
    if (this.signal.aborted) return;
    this.#controller.close();
    this.#finish();
  }

  #release(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }

  #finish(): void {
    this.#gone.abort();
    this.#release();
  }
}
