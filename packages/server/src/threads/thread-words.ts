import type { ThreadEvent } from "@atoll/protocol";
import type { RunnerContext } from "./options.ts";
import type { RunLog } from "./run-events.ts";

/** A thread's title and what the search finds of it: what an answer can do without. A failure is the operator's to know. */
export class ThreadWords {
  readonly #context: RunnerContext;
  readonly #ids: { readonly threadId: string; readonly runId: string };

  constructor(context: RunnerContext, { threadId, runId }: { threadId: string; runId: string }) {
    this.#context = context;
    this.#ids = { threadId, runId };
  }

  /** A thread that its user has named keeps its name, and nobody hears of another. */
  async suggestTitle(event: Extract<ThreadEvent, { type: "title" }>, log: RunLog): Promise<void> {
    const isKept = await this.#attempt("a title could not be kept", () =>
      this.#context.store.threads.suggestTitle(this.#ids.threadId, event.title),
    );
    if (isKept) void log.write(event);
  }

  index(text: string): void {
    void this.#attempt("a text could not be added to the search", () =>
      this.#context.store.threads.indexText(this.#ids.threadId, text),
    );
  }

  async #attempt<Result>(message: string, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#context.reportFault({ message, ...this.#ids, error });
      return undefined;
    }
  }
}
