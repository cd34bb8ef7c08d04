import { type RunEvent, type RunOutcome, RunTally } from "@atoll/protocol";
import type { AnswerRequest, Resumption } from "../request.ts";
import type { SandboxAccess } from "./sandbox-access.ts";

/** What a run has said, done and taken so far. Every event goes out through it, and none after its end. */
export class RunRecord {
  readonly #emit: (event: RunEvent) => void;
  readonly #tally: RunTally;
  #response: string;
  #startsParagraph: boolean;
  #isOver = false;
  #outer: RunRecord | undefined;
  #paragraphAt = 0;

  constructor({ emit, tally, resume }: Pick<AnswerRequest, "emit" | "tally" | "resume">) {
    const own = tally ?? tallyResumed(resume);
    this.#tally = own;
    this.#emit = (event) => {
      if (!tally) own.observe(event);
      emit(event);
    };
    this.#response = readResponse(resume);
    this.#startsParagraph = resume !== undefined;
  }

  emit(event: RunEvent): void {
    if (this.#isOver) return;
    this.#emit(event);
  }

  /** The tokens of a run, joined, are its response. */
  say(text: string): void {
    if (text === "" || this.#isOver) return;
    const isApart = this.#startsParagraph && this.#response !== "";
    const token = isApart ? `\n\n${text}` : text;
    this.#startsParagraph = false;
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
    const record = new RunRecord({
      emit: (event) => {
        if (event.type !== "token") this.emit(tell(event));
      },
    });
    record.#outer = this;
    return record;
  }

  /** What was said since something else happened. */
  get lastWords(): string {
    return this.#response.slice(this.#paragraphAt);
  }

  get modelCalls(): number {
    return this.#tally.modelCalls;
  }

  addModelCall(durationMs: number): void {
    this.#outer?.addModelCall(durationMs);
    this.#tally.addModelCall(durationMs);
  }

  addUsage(inputTokens: number | undefined, outputTokens: number | undefined): void {
    this.#outer?.addUsage(inputTokens, outputTokens);
    this.#tally.addUsage(inputTokens, outputTokens);
  }

  end(status: RunOutcome["status"], model: string, access: SandboxAccess): RunOutcome {
    this.#isOver = true;
    const { state, wakeMs, blockedMs } = access;
    return this.#tally.outcome(
      { status, model, container_state: state, wakeMs, blockedMs },
      performance.now(),
    );
  }
}

function readResponse(resume: Resumption | undefined): string {
  return (resume?.parts ?? []).map((part) => (part.kind === "text" ? part.text : "")).join("");
}

/** For a caller that keeps no tally. */
function tallyResumed(resume: Resumption | undefined): RunTally {
  const tally = new RunTally();
  const text = readResponse(resume);
  if (text !== "") tally.observe({ type: "token", text });
  for (const codeRun of resume?.codeRuns ?? []) tally.observe({ type: "code_run", ...codeRun });
  return tally;
}
