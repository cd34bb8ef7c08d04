import type { Socket } from "node:net";
import { AtollError } from "../../../errors.ts";
import type { GuestCall, GuestEvent, Reply } from "../../../guest/wire/connection.ts";
import type { GuestLink } from "../../../guest/wire/guest.ts";

const maxHeld = 10_000;

/** Answers one call; `signal` also aborts when the link is cut. */
export type Answer = (
  link: Link,
  method: string,
  params: Record<string, unknown>,
  options: GuestCall,
) => Promise<Reply<unknown>>;

/** A holder of a sandbox whose guest is partly in this process. */
export class Link implements GuestLink {
  readonly #answer: Answer;
  readonly #cut = new AbortController();
  readonly #held: (() => void)[] = [];
  #isPaused = false;
  #closedBecause: AtollError | undefined;
  readonly closed: Promise<void>;
  fence = 0;

  constructor(answer: Answer, onClose: (link: Link) => void) {
    this.#answer = answer;
    this.closed = new Promise((resolve) => {
      this.#cut.signal.addEventListener("abort", () => {
        onClose(this);
        resolve();
      });
    });
  }

  get isClosed(): boolean {
    return this.#closedBecause !== undefined;
  }

  async call<Result>(
    method: string,
    params: Record<string, unknown> = {},
    options: GuestCall = {},
  ): Promise<Reply<Result>> {
    if (this.#closedBecause) throw this.#closedBecause;
    const { signal, timeoutMs, awaitsAbort, onEvent } = options;
    if (signal?.aborted) throw aborted(signal);
    const stop = new AbortController();
    const given = AbortSignal.any([this.#cut.signal, stop.signal, ...(signal ? [signal] : [])]);
    const answer = this.#answer(this, method, params, {
      ...options,
      timeoutMs: undefined,
      signal: given,
      ...(onEvent && { onEvent: (event) => this.#deliver(() => onEvent(event), event) }),
    }) as Promise<Reply<Result>>;
    const { promise, reject } = Promise.withResolvers<never>();
    const giveUp = (error: AtollError) => {
      reject(error);
      stop.abort();
    };
    const onCut = () => giveUp(this.#closedBecause ?? dead());
    const onAbort = () => giveUp(aborted(signal));
    const late = new AtollError("timeout", `${method} took longer than ${timeoutMs} ms (timeoutMs)`);
    const timer =
      timeoutMs === undefined || awaitsAbort ? undefined : setTimeout(() => giveUp(late), timeoutMs);
    this.#cut.signal.addEventListener("abort", onCut, { once: true });
    if (!awaitsAbort) signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([answer, promise]);
    } finally {
      clearTimeout(timer);
      this.#cut.signal.removeEventListener("abort", onCut);
      signal?.removeEventListener("abort", onAbort);
      answer.catch(() => {});
    }
  }

  async callForStream(method: string): Promise<Socket> {
    throw new AtollError("not_supported", `${method}: there is no network inside this sandbox`);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  async close(): Promise<void> {
    this.cutOff(dead());
  }

  /** Everything that it has under way fails with this. */
  cutOff(because: AtollError): void {
    this.#closedBecause ??= because;
    this.#cut.abort();
  }

  #deliver(deliver: () => void, { name }: GuestEvent): void {
    // Only what streams can be held up: a run's output has a limit of its own.
    if (!this.#isPaused || name !== "change") return deliver();
    this.#held.push(deliver);
    if (this.#held.length <= maxHeld) return;
    this.#held.length = 0;
    this.cutOff(new AtollError("too_many_entries", `more than ${maxHeld} changes wait for their reader`));
  }
}

function dead(): AtollError {
  return new AtollError("sandbox_dead", "this handle was closed: attach to the sandbox, if it lives");
}

function aborted(signal: AbortSignal | undefined): AtollError {
  return new AtollError("aborted", "the caller gave up", { cause: signal?.reason });
}
