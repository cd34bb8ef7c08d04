import type { RunEvent, RunTally, StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { AtollError } from "@atoll/sandbox";
import type { RunnerContext } from "./options.ts";

interface RunIds {
  readonly threadId: string;
  readonly runId: string;
}

/**
 * Writes the events of one run to the thread log. Once a write has failed nothing more is written, so the log has no
 * holes.
 */
export class RunEvents {
  readonly #context: RunnerContext;
  readonly #ids: RunIds;
  readonly #tally: RunTally;
  readonly #onBroken: (error: unknown) => void;
  #isOpen = true;
  #isCutOff = false;
  #failure: { error: unknown } | undefined;
  /** From a title on, events wait for the title to be stored, to keep their order. */
  #titling: Promise<void> | undefined;

  /** `onBroken`: a write has failed. */
  constructor(
    context: RunnerContext,
    { threadId, runId }: RunIds,
    tally: RunTally,
    onBroken: (error: unknown) => void,
  ) {
    this.#context = context;
    this.#ids = { threadId, runId };
    this.#tally = tally;
    this.#onBroken = onBroken;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get failure(): { error: unknown } | undefined {
    return this.#failure;
  }

  /** Nothing more is written, not even `done`. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** An event of the agent. Events that only the server may write are dropped. */
  emit(event: RunEvent): void {
    if (!this.#isOpen || SERVER_EVENTS.has(event.type)) return;
    this.#tally.observe(event);
    if (event.type === "title") this.#titling = this.#suggestTitle(event);
    else if (this.#titling) this.#titling = this.#titling.then(() => this.write(event));
    else void this.write(event);
  }

  /** Events are stored in the order of the calls. Events after the end are dropped. Never rejects. */
  write(event: ThreadEvent): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    const { threadId, runId } = this.#ids;
    return this.#context.store.log.append(threadId, [{ event, runId }]).then(
      () => {},
      (error: unknown) => this.#break(error),
    );
  }

  /** Adds a text to the search index. An answer does not need it, so a failure is only reported. */
  index(text: string): void {
    void this.#attempt("a text could not be added to the search", () =>
      this.#context.store.threads.indexText(this.#ids.threadId, text),
    );
  }

  /** Resolves when every event so far has been handed to the log. */
  async settled(): Promise<void> {
    await this.#titling;
  }

  /** Another server owns the run from now on: nothing more is written, not even `done`. */
  cutOff(error: AtollError): void {
    this.#isCutOff = true;
    this.#break(error);
    this.#isOpen = false;
  }

  /** Writes the last events and resolves with the final one. Rejects when they cannot be stored; the caller may retry. */
  async end(events: readonly ThreadEvent[]): Promise<StoredEvent | undefined> {
    this.#isOpen = false;
    if (this.#isCutOff) throw this.#failure?.error;
    const { threadId, runId } = this.#ids;
    const stored = await this.#context.store.log.append(
      threadId,
      events.map((event) => ({ event, runId })),
      { isDurable: true },
    );
    return stored.at(-1);
  }

  /** No-op if the user has named the thread. */
  async #suggestTitle(event: Extract<RunEvent, { type: "title" }>): Promise<void> {
    const isKept = await this.#attempt("a title could not be stored", () =>
      this.#context.store.threads.suggestTitle(this.#ids.threadId, event.title),
    );
    if (isKept) void this.write(event);
  }

  async #attempt<Result>(message: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#context.reportFault({ message, ...this.#ids, error });
      return undefined;
    }
  }

  #break(error: unknown): void {
    if (this.#failure) return;
    this.#isOpen = false;
    this.#failure = { error };
    this.#onBroken(error);
  }
}

/** Written by the server only. */
const SERVER_EVENTS = new Set<RunEvent["type"]>(["done", "approval", "approval_decided", "steered"]);
