import type { CodeRun, RunOutcome, StoredEvent, ThreadEvent } from "@atoll/protocol";

/** Counts along with a run, so that one which is cut off still ends with what it had said and done. */
export class RunTally {
  readonly #startedAtMs: number;
  readonly #texts: string[] = [];
  readonly #codeRuns: CodeRun[] = [];
  #firstTokenAtMs: number | undefined;
  #lastAtMs: number;

  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs;
    this.#lastAtMs = startedAtMs;
  }

  observe(event: ThreadEvent, atMs: number): void {
    this.#lastAtMs = atMs;
    if (event.type === "token") {
      this.#firstTokenAtMs ??= atMs;
      this.#texts.push(event.text);
    } else if (event.type === "code_run") {
      const { type: _, ...codeRun } = event;
      this.#codeRuns.push(codeRun);
    }
  }

  get codeRuns(): readonly CodeRun[] {
    return this.#codeRuns;
  }

  /** Null as long as nothing was said. */
  get ttftMs(): number | null {
    return this.#firstTokenAtMs === undefined ? null : this.#firstTokenAtMs - this.#startedAtMs;
  }

  /** What only the agent could have measured is left empty. */
  outcome(
    facts: Pick<RunOutcome, "status" | "model" | "container_state">,
    endedAtMs = this.#lastAtMs,
  ): RunOutcome {
    const totalMs = endedAtMs - this.#startedAtMs;
    const execMs = this.#codeRuns.map((codeRun) => codeRun.exec_ms);
    const execTotalMs = execMs.reduce((sum, ms) => sum + ms, 0);
    const { ttftMs } = this;
    return {
      ...facts,
      response: this.#texts.join(""),
      openai_calls: 0,
      total_ms: totalMs,
      timings_ms: {
        ttft: ttftMs,
        ttft_saved: ttftMs === null ? null : totalMs - ttftMs,
        sandbox_restore: 0,
        openai_per_call: [],
        openai_total: 0,
        exec_per_call: execMs,
        exec_total: execTotalMs,
        overhead: Math.max(0, totalMs - execTotalMs),
      },
      code_runs: this.#codeRuns,
    };
  }
}

/** The same from the log, for a run whose agent is gone. Begins with `run_started`. `toMs`: on which clock it counts. */
export function tallyLog(events: readonly StoredEvent[], toMs = (at: string) => Date.parse(at)): RunTally {
  const tally = new RunTally(toMs(events[0]?.at ?? new Date().toISOString()));
  for (const event of events) tally.observe(withoutEnvelope(event), toMs(event.at));
  return tally;
}

function withoutEnvelope(stored: StoredEvent): ThreadEvent {
  const { id: _, thread_id: __, run_id: ___, at: ____, ...event } = stored;
  return event as ThreadEvent;
}
