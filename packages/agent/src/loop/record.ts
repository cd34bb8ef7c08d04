import { type CodeRun, makeOutcome, roundMs, type RunEvent, type RunOutcome } from "@atoll/protocol";
import type { Resumption } from "../request.ts";
import type { SandboxAccess } from "./sandbox-access.ts";

/** What a run has said, done and taken so far. Every event goes out through it, and none after its end. */
export class RunRecord {
  readonly #startedAt = performance.now();
  readonly #emit: (event: RunEvent) => void;
  readonly #modelMs: number[] = [];
  readonly #codeRuns: CodeRun[];
  readonly #usage = { input_tokens: 0, output_tokens: 0 };
  #hasUsage = false;
  #ttftMs: number | null = null;
  #response: string;
  #startsParagraph: boolean;
  #isOver = false;
  #outer: RunRecord | undefined;
  #paragraphAt = 0;

  /** `resume`: what an earlier server has recorded of the run. */
  constructor(emit: (event: RunEvent) => void, resume?: Resumption) {
    this.#emit = emit;
    this.#codeRuns = [...(resume?.codeRuns ?? [])];
    this.#response = (resume?.parts ?? []).map((part) => (part.kind === "text" ? part.text : "")).join("");
    this.#startsParagraph = resume !== undefined;
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
    this.#paragraphAt = this.#response.length;
  }

  /** Of an agent that works for this one: its calls and costs are this run's too, its words are its own. */
  nested(tell: (event: RunEvent) => RunEvent): RunRecord {
    const record = new RunRecord((event) => {
      if (event.type !== "token") this.emit(tell(event));
    });
    record.#outer = this;
    return record;
  }

  /** What was said since something else happened. */
  get lastWords(): string {
    return this.#response.slice(this.#paragraphAt);
  }

  get modelCalls(): number {
    return this.#modelMs.length;
  }

  addModelCall(durationMs: number): void {
    this.#outer?.addModelCall(durationMs);
    this.#modelMs.push(roundMs(durationMs));
  }

  addUsage(inputTokens: number | undefined, outputTokens: number | undefined): void {
    if (inputTokens === undefined && outputTokens === undefined) return;
    this.#outer?.addUsage(inputTokens, outputTokens);
    this.#hasUsage = true;
    this.#usage.input_tokens += inputTokens ?? 0;
    this.#usage.output_tokens += outputTokens ?? 0;
  }

  end(status: RunOutcome["status"], model: string, access: SandboxAccess): RunOutcome {
    this.#isOver = true;
    return makeOutcome({
      status,
      model,
      container_state: access.state,
      response: this.#response,
      codeRuns: this.#codeRuns,
      totalMs: performance.now() - this.#startedAt,
      ttftMs: this.#ttftMs,
      modelMs: this.#modelMs,
      wakeMs: access.wakeMs,
      blockedMs: access.blockedMs,
      ...(this.#hasUsage ? { usage: this.#usage } : {}),
    });
  }
}
