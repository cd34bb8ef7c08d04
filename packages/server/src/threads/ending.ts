import type { RunOutcome, StoredEvent, ThreadEvent } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { sleep } from "@atoll/std";
import { interruptedHint, toErrorEvent } from "./failure.ts";
import type { RunLog } from "./run-events.ts";

/** How an answer came out; with the error that the user has not been told of. */
export interface Ending {
  readonly outcome: RunOutcome;
  readonly failure?: { readonly error: unknown };
}

export type DoneEvent = Extract<ThreadEvent, { type: "done" }>;

/** A run that was cut off by the server's end is no run that the user stopped. */
export function asInterrupted(ending: Ending): Ending {
  const { outcome } = ending;
  return outcome.status === "stopped" ? { outcome: { ...outcome, status: "interrupted" } } : ending;
}

/** The last events of a run. */
export function toLastEvents(
  ending: Ending,
  ids: Pick<DoneEvent, "thread_id" | "run_id" | "message_id">,
): ThreadEvent[] {
  const done: DoneEvent = { ...ending.outcome, type: "done", ...ids };
  if (ending.failure) return [toErrorEvent(ending.failure.error), done];
  return ending.outcome.status === "interrupted" ? [shutdownError, done] : [done];
}

/**
 * Tries until the events are stored: with no room on the disk a run stays open until there is some. Undefined when the
 * thread is gone or another server's, or this one closes first: then the next one closes the run, or goes on with it.
 */
export async function storeLastEvents(
  log: RunLog,
  makeEvents: () => readonly ThreadEvent[],
  options: { closing: AbortSignal; onFailure(error: unknown): void },
): Promise<StoredEvent | undefined> {
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    if (log.isCutOff) return undefined;
    try {
      return await log.end(makeEvents());
    } catch (error) {
      if (error instanceof AtollError && goneCodes.has(error.code)) return undefined;
      options.onFailure(error);
      if (options.closing.aborted) return undefined;
      await sleep(waitMs, options.closing);
    }
  }
}

/** Time before the agent was asked is time that the user has waited. `ttftMs`: of what was said before that. */
export function addDelay(outcome: RunOutcome, delayMs: number, ttftMs: number | null = null): RunOutcome {
  const timings = outcome.timings_ms;
  const round = (ms: number) => Math.round(ms * 10) / 10;
  const totalMs = outcome.total_ms + delayMs;
  const firstMs = ttftMs ?? (timings.ttft === null ? null : timings.ttft + delayMs);
  return {
    ...outcome,
    total_ms: round(totalMs),
    timings_ms: {
      ...timings,
      ttft: firstMs === null ? null : round(firstMs),
      ttft_saved: firstMs === null ? null : round(totalMs - firstMs),
      overhead: round(timings.overhead + delayMs),
    },
  };
}

const maxWaitMs = 5000;
const goneCodes = new Set<AtollError["code"]>(["not_found", "not_owner"]);

const shutdownError: ThreadEvent = {
  type: "error",
  code: "interrupted",
  message: "The server is shutting down, so this answer is not complete.",
  hint: interruptedHint,
};
