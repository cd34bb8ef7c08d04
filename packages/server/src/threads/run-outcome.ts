import { type RunOutcome, RunTally, type StoredEvent, type ThreadEvent } from "@atoll/protocol";
import { AtollError } from "@atoll/sandbox";
import { sleep } from "@atoll/std";
import type { RunEvents } from "./run-events.ts";

/** The tally of a run whose agent is gone, from its log. The first event is `run_started`. `toMs`: the clock to count on. */
export function tallyLog(events: readonly StoredEvent[], toMs = (at: string) => Date.parse(at)): RunTally {
  const tally = new RunTally(toMs(events[0]?.at ?? new Date().toISOString()));
  for (const event of events) tally.observe(withoutEnvelope(event), toMs(event.at));
  return tally;
}

function withoutEnvelope(stored: StoredEvent): ThreadEvent {
  const { id: _, thread_id: __, run_id: ___, at: ____, ...event } = stored;
  return event as ThreadEvent;
}

/** How a run ended, with the error that is not in its log yet. */
export interface Ending {
  readonly outcome: RunOutcome;
  readonly failure?: { readonly error: unknown };
}

export type DoneEvent = Extract<ThreadEvent, { type: "done" }>;

/** A shutdown stops runs too, but the user did not ask for it. */
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
  return ending.outcome.status === "interrupted" ? [SHUTDOWN_ERROR, done] : [done];
}

/**
 * Retries until the events are stored: on a full disk a run stays open until there is space. Resolves with undefined if
 * the thread is gone, if another server owns it, or if this server closes first; then the next server ends the run.
 */
export async function storeLastEvents(
  events: RunEvents,
  makeEvents: () => readonly ThreadEvent[],
  options: { closing: AbortSignal; onFailure(error: unknown): void },
): Promise<StoredEvent | undefined> {
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    if (events.isCutOff) return undefined;
    try {
      return await events.end(makeEvents());
    } catch (error) {
      if (error instanceof AtollError && GONE_CODES.has(error.code)) return undefined;
      options.onFailure(error);
      if (options.closing.aborted) return undefined;
      await sleep(waitMs, options.closing);
    }
  }
}

const MAX_WAIT_MS = 5000;
const GONE_CODES = new Set<AtollError["code"]>(["not_found", "not_owner"]);

export const INTERRUPTED_HINT = "Send the message again to get a complete answer.";

const SHUTDOWN_ERROR: ThreadEvent = {
  type: "error",
  code: "interrupted",
  message: "The server is shutting down, so this answer is incomplete.",
  hint: INTERRUPTED_HINT,
};

type ErrorEvent = Extract<ThreadEvent, { type: "error" }>;

/** An error as the user sees it. Internal errors get a general message. */
export function toErrorEvent(error: unknown): ErrorEvent {
  if (!(error instanceof AtollError) || error.code === "internal") {
    return {
      type: "error",
      code: "internal",
      message: "Something went wrong on the server.",
      hint: "Send the message again. If it fails again, look into the server's log.",
    };
  }
  return { type: "error", code: error.code, message: error.message, hint: HINTS[error.code] ?? DEFAULT_HINT };
}

const DEFAULT_HINT = "Send the message again.";

const HINTS: Partial<Record<AtollError["code"], string>> = {
  runtime_unavailable: "Ask the operator of this server to install or allow what the message names.",
  disk_full: "Free space on the server's disk, then send the message again.",
  not_found: "Check the files of this thread, then send the message again.",
  too_large: "Use less, or give the sandbox more, as the message says.",
  invalid_argument: "Correct the setting that the message names, then send the message again.",
};
