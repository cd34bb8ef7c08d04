import type { Socket } from "node:net";
import type { GuestLink } from "./guest.ts";
import { type ErrorCode, errorCodes } from "@atoll/protocol";
import { AtollError } from "../../errors.ts";
import { encodeFrame, FrameDecoder } from "./frames.ts";
import { findFaultInEvent, findFaultInReply } from "./replies.ts";
import { isObject } from "./shapes.ts";

const maxMessageChars = 20_000;

export interface Reply<Result> {
  result: Result;
  body: Uint8Array;
}

export interface GuestEvent {
  name: string;
  data: Record<string, unknown>;
  body: Uint8Array;
}

export interface GuestCall {
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  onEvent?: (event: GuestEvent) => void;
  /** The guest answers an abort with a result of its own: wait for that instead of failing at once. */
  awaitsAbort?: boolean;
  /** Does not keep the process alive. On a connection of its own. */
  isBackground?: boolean;
}

/** How long a guest may take to end what has to end, before it is asked whether it lives. */
const overdueMs = 10_000;

interface Pending {
  readonly method: string;
  resolve(reply: Reply<unknown>): void;
  reject(error: unknown): void;
  onEvent: ((event: GuestEvent) => void) | undefined;
  /** What follows its reply are plain bytes. */
  endsFrames: boolean;
}

/** Calls to one guest over one stream. Any number may be under way; replies come in any order. */
export class GuestConnection implements GuestLink {
  readonly #socket: Socket;
  readonly #onFrame: (() => void) | undefined;
  readonly #decoder: FrameDecoder;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #closedBecause: AtollError | undefined;
  #isHandedOver = false;
  #isPaused = false;
  readonly closed: Promise<void>;

  /** `onFrame` is called for each frame that was put on its way. */
  constructor(
    socket: Socket,
    { onFrame, maxHeaderBytes }: { onFrame?: () => void; maxHeaderBytes?: number } = {},
  ) {
    this.#socket = socket;
    this.#decoder = new FrameDecoder(maxHeaderBytes === undefined ? {} : { maxHeaderBytes });
    this.#onFrame = onFrame;
    // A handle that nobody uses does not keep the process alive.
    socket.unref();
    // By `readable` instead of `data`, so that the stream can be held up and given away without losing a byte.
    socket.on("readable", this.#read);
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#fail(new AtollError("sandbox_dead", "the sandbox has ended: its connection closed"));
        resolve();
      });
    });
  }

  get isClosed(): boolean {
    return this.#closedBecause !== undefined;
  }

  /** Why it was closed, if that was for a breach of the protocol. */
  get violation(): string | undefined {
    return this.#closedBecause?.code === "protocol_error" ? this.#closedBecause.message : undefined;
  }

  call<Result>(
    method: string,
    params: Record<string, unknown> = {},
    options: GuestCall = {},
  ): Promise<Reply<Result>> {
    return this.#call(method, params, options, false);
  }

  /** A call that turns the connection into plain bytes: gives the stream away. */
  async callForStream(method: string, params: Record<string, unknown>, options?: GuestCall): Promise<Socket> {
    await this.#call(method, params, options ?? {}, true);
    const rest = this.#decoder.rest();
    this.#socket.off("readable", this.#read);
    if (rest.length > 0) this.#socket.unshift(rest);
    this.#socket.ref();
    return this.#socket;
  }

  #call<Result>(
    method: string,
    params: Record<string, unknown>,
    options: GuestCall,
    endsFrames: boolean,
  ): Promise<Reply<Result>> {
    const { signal, timeoutMs, awaitsAbort } = options;
    if (this.#closedBecause) return Promise.reject(this.#closedBecause);
    if (signal?.aborted) return Promise.reject(aborted(signal));
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Reply<Result>>();
    const giveUp = (error?: AtollError) => {
      this.#write({ id, cancel: true });
      if (error) this.#settle(id)?.reject(error);
    };
    let lookAgain: NodeJS.Timeout | undefined;
    const lookLater = () => {
      clearTimeout(lookAgain);
      lookAgain = setTimeout(() => void look(), overdueMs).unref();
    };
    /** One that answers nothing will not answer this either; one that does may be busy with ending it. */
    const look = async () => {
      const state = this.call("state", {}, { timeoutMs: overdueMs, isBackground: true });
      const hangs = await state.then(
        () => false,
        () => true,
      );
      if (!this.#pending.has(id)) return;
      if (hangs)
        this.#settle(id)?.reject(new AtollError("timeout", `${method}: the sandbox does not answer`));
      else lookLater();
    };
    const onAbort = () => {
      giveUp(awaitsAbort ? undefined : aborted(signal));
      if (awaitsAbort) lookLater();
    };
    const timer =
      timeoutMs === undefined || awaitsAbort
        ? undefined
        : setTimeout(
            () => giveUp(new AtollError("timeout", `${method} took longer than ${timeoutMs} ms (timeoutMs)`)),
            timeoutMs,
          );
    this.#pending.set(id, {
      method,
      resolve: resolve as (reply: Reply<unknown>) => void,
      reject,
      onEvent: options.onEvent,
      endsFrames,
    });
    if (awaitsAbort && timeoutMs !== undefined)
      lookAgain = setTimeout(() => void look(), Math.min(timeoutMs + overdueMs, 2 ** 31 - 1)).unref();
    if (!options.isBackground) this.#socket.ref();
    this.#write({ id, method, params }, options.body);
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      clearTimeout(lookAgain);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  /** Holds the guest up when events come faster than they are used. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#read();
  }

  close(): Promise<void> {
    this.#closedBecause ??= new AtollError(
      "sandbox_dead",
      "this handle was closed: attach to the sandbox, if it lives",
    );
    this.#socket.destroy();
    return this.closed;
  }

  #write(header: Record<string, unknown>, body?: Uint8Array): void {
    if (this.#closedBecause) return;
    this.#socket.cork();
    for (const part of encodeFrame(header, body)) this.#socket.write(part);
    this.#socket.uncork();
    this.#onFrame?.();
  }

  readonly #read = (): void => {
    while (!this.#isPaused && !this.#isHandedOver && !this.#closedBecause) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk === null) return;
      this.#receive(chunk);
    }
  };

  #receive(chunk: Buffer): void {
    try {
      for (const { header, body } of this.#decoder.push(chunk)) {
        this.#handle(header, body);
        if (this.#isHandedOver) return;
      }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message.slice(0, 300) : "";
      this.#fail(new AtollError("protocol_error", `the guest broke the protocol: ${reason}`, { cause }));
      this.#socket.destroy();
    }
  }

  /** Throws on what is no reply to the call that it names. */
  #handle(header: Record<string, unknown>, body: Uint8Array): void {
    const { id, event, error, data = {} } = header;
    if (!Number.isSafeInteger(id)) throw new TypeError(describeRefusal(error) ?? "a frame answers no call");
    const call = id as number;
    if (event !== undefined) {
      if (typeof event !== "string") throw new TypeError("an event has no name");
      expectNoFault(findFaultInEvent(event, data));
      this.#deliver(call, { name: event, data: data as Record<string, unknown>, body });
    } else if (error !== undefined) {
      const failure = toError(error);
      this.#settle(call)?.reject(failure);
    } else {
      const pending = this.#pending.get(call);
      if (pending) expectNoFault(findFaultInReply(pending.method, header["done"]));
      this.#settle(call);
      this.#isHandedOver = pending?.endsFrames ?? false;
      pending?.resolve({ result: header["done"], body });
    }
  }

  /** An event whose listener throws is the end of that call and of no other; unless it is more than a guest may send. */
  #deliver(id: number, event: GuestEvent): void {
    try {
      this.#pending.get(id)?.onEvent?.(event);
    } catch (error) {
      if (error instanceof AtollError && error.code === "protocol_error") throw error;
      this.#write({ id, cancel: true });
      this.#settle(id)?.reject(error);
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#socket.unref();
    return pending;
  }

  #fail(error: AtollError): void {
    this.#closedBecause ??= error;
    for (const id of this.#pending.keys()) this.#settle(id)?.reject(this.#closedBecause);
  }
}

function aborted(signal: AbortSignal | undefined): AtollError {
  return new AtollError("aborted", "the caller gave up", { cause: signal?.reason });
}

function toError(error: unknown): AtollError {
  const { code, message } = isObject(error) ? error : {};
  if (typeof code !== "string" || typeof message !== "string") throw new TypeError("an error says nothing");
  // That it has ended is for its connection to say.
  const isKnown = (errorCodes as readonly string[]).includes(code) && code !== "sandbox_dead";
  return new AtollError(isKnown ? (code as ErrorCode) : "internal", message.slice(0, maxMessageChars));
}

/** What a guest says that cannot read us. */
function describeRefusal(error: unknown): string | undefined {
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : undefined;
}

function expectNoFault(fault: string | undefined): void {
  if (fault !== undefined) throw new TypeError(fault);
}
