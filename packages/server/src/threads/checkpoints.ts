import type { RunnerContext } from "./options.ts";

/** The name of the checkpoint of the state before a run. */
export function beforeRun(runId: string): string {
  return `before ${runId}`;
}

/**
 * Records a thread's sandbox in the background: no caller waits for it, and a failure is only reported. From this call on,
 * whatever would change the sandbox waits until it is recorded.
 */
export function takeCheckpoint(context: RunnerContext, threadId: string, turnId: string): void {
  const { sandboxes, reportFault, onCheckpoint, closing } = context;
  // The server suspends the sandbox now. A checkpoint would wake it again.
  if (closing.aborted) return;
  const startMs = performance.now();
  const report = (isTaken: boolean) => onCheckpoint?.({ isTaken, durationMs: performance.now() - startMs });
  sandboxes.checkpoint(threadId, turnId).then(
    () => report(true),
    (error: unknown) => {
      report(false);
      reportFault({ message: "a checkpoint could not be taken", threadId, error });
    },
  );
}
