import type { RunnerContext } from "./options.ts";

/** What a checkpoint of the state before a run is called. */
export function beforeRun(runId: string): string {
  return `before ${runId}`;
}

/** Records sandboxes at the ends of turns. Nobody waits for it, and a failure breaks no turn: the operator is told. */
export class TurnCheckpoints {
  readonly #context: RunnerContext;

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  /** From this call on, what would change the sandbox waits until it is recorded. */
  take(threadId: string, turnId: string): void {
    const { sandboxes, reportFault, onCheckpoint, closing } = this.#context;
    // The sandbox is about to rest, and must not be woken for this after it.
    if (closing.aborted) return;
    const startMs = performance.now();
    const tell = (isTaken: boolean) => onCheckpoint?.({ isTaken, durationMs: performance.now() - startMs });
    sandboxes.checkpoint(threadId, turnId).then(
      () => tell(true),
      (error: unknown) => {
        tell(false);
        reportFault({ message: "a checkpoint could not be taken", threadId, error });
      },
    );
  }
}
