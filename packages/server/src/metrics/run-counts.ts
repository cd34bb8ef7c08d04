import type { AnswerRequest } from "@atoll/agent";
import type { RunOutcome } from "@atoll/protocol";

type Answer = (request: AnswerRequest, threadId: string) => Promise<RunOutcome>;

/** Counts runs by how they ended, for /metrics. */
export class RunCounts {
  readonly #counts: Record<RunOutcome["status"], number> = {
    completed: 0,
    stopped: 0,
    failed: 0,
    interrupted: 0,
  };

  /** The same agent, counted. */
  watch(answer: Answer): Answer {
    return async (request, threadId) => {
      try {
        const outcome = await answer(request, threadId);
        this.#counts[outcome.status] += 1;
        return outcome;
      } catch (error) {
        this.#counts[request.signal.aborted ? "stopped" : "failed"] += 1;
        throw error;
      }
    };
  }

  read(): Readonly<Record<string, number>> {
    return this.#counts;
  }
}
