import type { CodeRun, RunEvent, RunOutcome } from "../events.ts";
import type { SandboxAccess } from "./sandbox-access.ts";

/** What a run has said, done and taken so far. Every event goes out through it, and none after its end. */
export class RunRecord {
  readonly #startedAt = performance.now();
  readonly #emit: (event: RunEvent) => void;
  readonly #modelMs: number[] = [];
  readonly #codeRuns: CodeRun[] = [];
  readonly #usage = { input_tokens: 0, output_tokens: 0 };
  #hasUsage = false;
  #ttftMs: number | null = null;
  #response = "";
  #startsParagraph = false;
  #isOver = false;

  constructor(emit: (event: RunEvent) => void) {
    this.#emit = emit;
  }

  emit(event: RunEvent): void {
    if (this.#isOver) return;
    if (event.type === "code_run") {
      const { type: _, ...run } = event;
      this.#codeRuns.push(run);
    }
    this.#emit(event);
  }

  /** The tokens of a run, joined, are its response. */
  say(text: string): void {
    if (text === "" || this.#isOver) return;
    const isApart = this.#startsParagraph && this.#response !== "";
    const token = isApart ? `\n\n${text}` : text;
    this.#startsParagraph = false;
    this.#ttftMs ??= performance.now() - this.#startedAt;
    this.#response += token;
    this.#emit({ type: "token", text: token });
  }

  /** Something else happened since: what is said next does not stick to what was said before. */
  startParagraph(): void {
    this.#startsParagraph = true;
  }

  addModelCall(durationMs: number): void {
    this.#modelMs.push(round(durationMs));
  }

  addUsage(inputTokens: number | undefined, outputTokens: number | undefined): void {
    if (inputTokens === undefined && outputTokens === undefined) return;
    this.#hasUsage = true;
    this.#usage.input_tokens += inputTokens ?? 0;
    this.#usage.output_tokens += outputTokens ?? 0;
  }

  end(status: RunOutcome["status"], model: string, access: SandboxAccess): RunOutcome {
    this.#isOver = true;
    const totalMs = performance.now() - this.#startedAt;
    const execMs = this.#codeRuns.map((run) => run.exec_ms);
    const known = sum(this.#modelMs) + sum(execMs) + access.blockedMs;
    return {
      status,
      response: this.#response,
      model,
      container_state: access.state,
      openai_calls: this.#modelMs.length,
      total_ms: round(totalMs),
      timings_ms: {
        ttft: this.#ttftMs === null ? null : round(this.#ttftMs),
        ttft_saved: this.#ttftMs === null ? null : round(totalMs - this.#ttftMs),
        sandbox_restore: round(access.wakeMs),
        openai_per_call: this.#modelMs,
        openai_total: round(sum(this.#modelMs)),
        exec_per_call: execMs,
        exec_total: round(sum(execMs)),
        overhead: round(Math.max(0, totalMs - known)),
      },
      code_runs: this.#codeRuns,
      ...(this.#hasUsage ? { usage: this.#usage } : {}),
    };
  }
}

export function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
