import type { AtollError } from "@atoll/sandbox";
import type { StoredEvent, ThreadEvent } from "@atoll/protocol";
import type { ThreadLog } from "../store/contract.ts";

/** Where one run writes. When a write fails, nothing more is taken: the log has a beginning without holes. */
export class RunLog {
  readonly #log: ThreadLog;
  readonly #threadId: string;
  readonly #runId: string;
  readonly #onBroken: (error: unknown) => void;
  #isOpen = true;
  #failure: { error: unknown } | undefined;
  #isCutOff = false;

  constructor(log: ThreadLog, ids: { threadId: string; runId: string }, onBroken: (error: unknown) => void) {
    this.#log = log;
    this.#threadId = ids.threadId;
    this.#runId = ids.runId;
    this.#onBroken = onBroken;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get failure(): { error: unknown } | undefined {
    return this.#failure;
  }

  /** Nothing more is written, also no end. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** In this order. What comes after the end is dropped. */
  write(event: ThreadEvent): Promise<void> {
    if (!this.#isOpen) return Promise.resolve();
    return this.#log.append(this.#threadId, [{ event, runId: this.#runId }]).then(
      () => {},
      (error: unknown) => this.#break(error),
    );
  }

  /** The run is another server's, or the next one's: nothing more is written, not even an end, also if it comes back. */
  cutOff(error: AtollError): void {
    this.#isCutOff = true;
    this.#break(error);
    this.#isOpen = false;
  }

  /** The last events, the final one among them. Rejects when they cannot be stored; then it may be tried again. */
  async end(events: readonly ThreadEvent[]): Promise<StoredEvent | undefined> {
    this.#isOpen = false;
    if (this.#isCutOff) throw this.#failure?.error;
    const stored = await this.#log.append(
      this.#threadId,
      events.map((event) => ({ event, runId: this.#runId })),
      { isDurable: true },
    );
    return stored.at(-1);
  }

  #break(error: unknown): void {
    if (this.#failure) return;
    this.#isOpen = false;
    this.#failure = { error };
    this.#onBroken(error);
  }
}
