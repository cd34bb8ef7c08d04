import type { CodeRun, RunOutcome } from "./events/run-events.ts";
import type { ThreadEvent } from "./events/thread-events.ts";

/** What only the end of a run can tell. */
export interface RunEnd extends Pick<RunOutcome, "status" | "model" | "container_state"> {
  /** Until the sandbox was usable. */
  readonly wakeMs?: number;
  /** How long the run stood still for the sandbox. */
  readonly blockedMs?: number;
}

/**
 * Counts what a run says, does and costs. The owner of the log passes it every event; the agent adds what only it can
 * measure. The outcome of a run is computed here and nowhere else.
 *
 *     tally.observe({ type: "token", text: "42" });
 *     tally.addModelCall(380);
 *     tally.outcome({ status: "completed", model: "openai:gpt-5", container_state: "hot" });
 */
export class RunTally {
  readonly #startedAtMs: number;
  readonly #texts: string[] = [];
  readonly #codeRuns: CodeRun[] = [];
  readonly #modelMs: number[] = [];
  #usage: RunOutcome["usage"];
  #firstTokenAtMs: number | undefined;
  #lastAtMs: number;

  /** `startedAtMs`: when the user began to wait, by default on the clock of `performance.now()`. */
  constructor(startedAtMs: number = performance.now()) {
    this.#startedAtMs = startedAtMs;
    this.#lastAtMs = startedAtMs;
  }

  get codeRuns(): readonly CodeRun[] {
    return this.#codeRuns;
  }

  get modelCalls(): number {
    return this.#modelMs.length;
  }

  observe(event: ThreadEvent, atMs: number = performance.now()): void {
    this.#lastAtMs = atMs;
    if (event.type === "token") {
      this.#firstTokenAtMs ??= atMs;
      this.#texts.push(event.text);
    } else if (event.type === "code_run") {
      const { type: _, ...codeRun } = event;
      this.#codeRuns.push(codeRun);
    }
  }

  addModelCall(durationMs: number): void {
    this.#modelMs.push(durationMs);
  }

  addUsage(inputTokens: number | undefined, outputTokens: number | undefined): void {
    if (inputTokens === undefined && outputTokens === undefined) return;
    const { input_tokens, output_tokens } = this.#usage ?? { input_tokens: 0, output_tokens: 0 };
    this.#usage = {
      input_tokens: input_tokens + (inputTokens ?? 0),
      output_tokens: output_tokens + (outputTokens ?? 0),
    };
  }

  /** `endedAtMs`: by default the time of the last event, for a run whose end was not seen. */
  outcome(end: RunEnd, endedAtMs: number = this.#lastAtMs): RunOutcome {
    const { wakeMs = 0, blockedMs = 0, ...facts } = end;
    const totalMs = endedAtMs - this.#startedAtMs;
    const ttftMs = this.#firstTokenAtMs === undefined ? null : this.#firstTokenAtMs - this.#startedAtMs;
    const execMs = this.#codeRuns.map((run) => run.exec_ms);
    const [modelTotalMs, execTotalMs] = [sum(this.#modelMs), sum(execMs)];
    return {
      ...facts,
      response: this.#texts.join(""),
      openai_calls: this.#modelMs.length,
      total_ms: roundMs(totalMs),
      timings_ms: {
        ttft: ttftMs === null ? null : roundMs(ttftMs),
        ttft_saved: ttftMs === null ? null : roundMs(totalMs - ttftMs),
        sandbox_restore: roundMs(wakeMs),
        openai_per_call: this.#modelMs.map(roundMs),
        openai_total: roundMs(modelTotalMs),
        exec_per_call: execMs,
        exec_total: roundMs(execTotalMs),
        overhead: roundMs(Math.max(0, totalMs - modelTotalMs - execTotalMs - blockedMs)),
      },
      code_runs: [...this.#codeRuns],
      ...(this.#usage ? { usage: this.#usage } : {}),
    };
  }
}

/** A tenth of a millisecond is all that a clock is good for here. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
