import type { CodeRun, RunOutcome } from "./events/run-events.ts";

/** What was measured of a run. What only the agent can measure is left out for a run whose agent is gone. */
export interface RunMeasures extends Pick<
  RunOutcome,
  "status" | "model" | "container_state" | "response" | "usage"
> {
  readonly codeRuns: readonly CodeRun[];
  readonly totalMs: number;
  /** Null as long as nothing was said. */
  readonly ttftMs: number | null;
  /** The duration of each model call. */
  readonly modelMs?: readonly number[];
  /** Until the sandbox was usable. */
  readonly wakeMs?: number;
  /** How long the run stood still for the sandbox. */
  readonly blockedMs?: number;
}

/** The outcome of a run, from what was measured. The one place where its times are computed. */
export function makeOutcome(measures: RunMeasures): RunOutcome {
  const { codeRuns, totalMs, ttftMs, modelMs = [], wakeMs = 0, blockedMs = 0, ...facts } = measures;
  const execMs = codeRuns.map((run) => run.exec_ms);
  const modelTotalMs = sum(modelMs);
  const execTotalMs = sum(execMs);
  return {
    ...facts,
    openai_calls: modelMs.length,
    total_ms: roundMs(totalMs),
    timings_ms: {
      ...describeFirstToken(totalMs, ttftMs),
      sandbox_restore: roundMs(wakeMs),
      openai_per_call: modelMs.map(roundMs),
      openai_total: roundMs(modelTotalMs),
      exec_per_call: execMs,
      exec_total: roundMs(execTotalMs),
      overhead: roundMs(Math.max(0, totalMs - modelTotalMs - execTotalMs - blockedMs)),
    },
    code_runs: [...codeRuns],
  };
}

/** Adds time that the user waited before the agent was asked. `ttftMs`: of what was said before that. */
export function addDelay(outcome: RunOutcome, delayMs: number, ttftMs: number | null = null): RunOutcome {
  const { timings_ms: timings } = outcome;
  const totalMs = outcome.total_ms + delayMs;
  const firstMs = ttftMs ?? (timings.ttft === null ? null : timings.ttft + delayMs);
  return {
    ...outcome,
    total_ms: roundMs(totalMs),
    timings_ms: {
      ...timings,
      ...describeFirstToken(totalMs, firstMs),
      overhead: roundMs(timings.overhead + delayMs),
    },
  };
}

/** A tenth of a millisecond is all that a clock is good for here. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function describeFirstToken(totalMs: number, ttftMs: number | null) {
  return ttftMs === null
    ? { ttft: null, ttft_saved: null }
    : { ttft: roundMs(ttftMs), ttft_saved: roundMs(totalMs - ttftMs) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
