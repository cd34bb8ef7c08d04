import type { RunOutcome } from "@atoll/protocol";

/** Counts runs by how they ended, for /metrics. */
export class RunCounts {
  readonly #counts: Record<RunOutcome["status"], number> = {
    completed: 0,
    stopped: 0,
    failed: 0,
    interrupted: 0,
  };

  note({ status }: Pick<RunOutcome, "status">): void {
    this.#counts[status] += 1;
  }

  read(): Readonly<Record<string, number>> {
    return this.#counts;
  }
}
