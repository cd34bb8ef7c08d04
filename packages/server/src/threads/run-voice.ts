import type { RunEvent } from "@atoll/protocol";
import type { RunnerContext } from "./options.ts";
import type { RunLog } from "./run-events.ts";
import type { RunTally } from "./run-outcome.ts";
import { ThreadWords } from "./thread-words.ts";

/** What the agent of a run says, on its way into the log. */
export class RunVoice {
  readonly #log: RunLog;
  readonly #tally: RunTally;
  readonly #words: ThreadWords;
  /** From a title on, what is written waits for what came before it. */
  #titling: Promise<void> | undefined;

  constructor(
    context: RunnerContext,
    ids: { threadId: string; runId: string },
    parts: { log: RunLog; tally: RunTally },
  ) {
    this.#log = parts.log;
    this.#tally = parts.tally;
    this.#words = new ThreadWords(context, ids);
  }

  emit(event: RunEvent): void {
    if (!this.#log.isOpen || eventsOfRun.has(event.type)) return;
    this.#tally.observe(event, performance.now());
    if (event.type === "title") this.#titling = this.#words.suggestTitle(event, this.#log);
    else if (this.#titling) this.#titling = this.#titling.then(() => this.#log.write(event));
    else void this.#log.write(event);
  }

  /** For the search. */
  index(text: string): void {
    this.#words.index(text);
  }

  /** Resolves when all that was said is on its way. */
  async settled(): Promise<void> {
    await this.#titling;
  }
}

/** Written by the run itself and by nobody else. */
const eventsOfRun = new Set<RunEvent["type"]>(["done", "approval", "approval_decided", "steered"]);
