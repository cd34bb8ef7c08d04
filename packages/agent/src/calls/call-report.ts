import type { Artifact, RunOutput, RunPlace, Sandbox } from "@atoll/sandbox";
import type { CodeReport, ToolReporter } from "@atoll/toolkit";
import { type CodeRun, makeNotice, type Notice, roundMs } from "@atoll/protocol";
import type { AnswerRequest } from "../request.ts";
import { LiveOutput } from "./live-output.ts";
import type { RunRecord } from "../loop/record.ts";
import { toResultEvent } from "./result-event.ts";
import { orStopped, stopped } from "../loop/wait.ts";

type Keeper = Pick<AnswerRequest, "keepImage" | "keepArtifact" | "signal">;

/** Turns what one call reports into events: output and results as they come, artifacts and the code run at its end. */
export class CallReport implements ToolReporter {
  readonly results: RunOutput[] = [];
  /** Set at the end, if the call ran code. */
  codeRun: CodeRun | undefined;
  readonly #callId: string;
  readonly #record: RunRecord;
  readonly #keeper: Keeper;
  readonly #output: LiveOutput;
  readonly #artifacts: Artifact[] = [];
  #started: { language: CodeReport["language"]; code: string; at: number } | undefined;
  /** Code that was left behind may still print: nobody listens any more. */
  #isOver = false;
  #ended: { report: CodeReport; durationMs: number } | undefined;

  constructor(callId: string, record: RunRecord, keeper: Keeper) {
    this.#callId = callId;
    this.#record = record;
    this.#keeper = keeper;
    this.#output = new LiveOutput((stream, text) =>
      record.emit({ type: "output", call_id: callId, stream, text }),
    );
  }

  codeStarted(code: { language: CodeReport["language"]; code: string }): void {
    this.#started = { ...code, at: performance.now() };
  }

  output(stream: "stdout" | "stderr", text: string): void {
    if (this.#isOver) return;
    this.#output.add(stream, text);
  }

  result(result: RunOutput): void {
    if (this.#isOver) return;
    this.#output.flush();
    this.results.push(result);
    this.#record.emit(toResultEvent(this.#callId, result, (image) => this.#keeper.keepImage(image)));
  }

  artifact(artifact: Artifact): void {
    this.#artifacts.push(artifact);
  }

  codeEnded(report: CodeReport): void {
    this.#ended = { report, durationMs: this.#elapsedMs() };
  }

  /** The last events of the call. Code that never came to its end was killed, and `reason` says why. */
  async end(sandbox: Sandbox | undefined, reason: Notice): Promise<void> {
    this.#isOver = true;
    this.#output.end();
    const durationMs = this.#elapsedMs();
    if (sandbox) await this.#keepArtifacts(sandbox);
    if (this.#ended) this.#emitCodeRun(this.#ended.report, this.#ended.durationMs);
    else if (this.#started)
      this.#emitCodeRun(describeKilled(this.#started, this.#output.text, reason), durationMs);
  }

  async #keepArtifacts(sandbox: Sandbox): Promise<void> {
    for (const { path, hash, sizeBytes, mime, change } of this.#artifacts) {
      const keeping = this.#keeper.keepArtifact(sandbox, { path, hash, sizeBytes, mime });
      // A file that cannot be kept is still told of.
      const url = await orStopped(
        keeping.catch(() => undefined),
        this.#keeper.signal,
      );
      this.#record.emit({
        type: "artifact",
        call_id: this.#callId,
        path,
        size_bytes: sizeBytes,
        hash,
        mime,
        change,
        ...(url === undefined || url === stopped ? {} : { url }),
      });
    }
  }

  #emitCodeRun(report: CodeReport, durationMs: number): void {
    this.codeRun = {
      call_id: this.#callId,
      language: report.language,
      code: report.code,
      output: report.output,
      exec_ms: roundMs(durationMs),
      status: report.status,
      exit_code: report.exitCode,
      truncated: report.truncated,
      error: report.error,
      ...(report.place ? { place: describePlace(report.place) } : {}),
      ...describeNotices(report),
    };
    this.#record.emit({ type: "code_run", ...this.codeRun });
  }

  #elapsedMs(): number {
    return this.#started ? performance.now() - this.#started.at : 0;
  }
}

function describePlace({ reasons, ...place }: RunPlace): NonNullable<CodeRun["place"]> {
  return {
    ...place,
    reasons: reasons.map(({ via, ...reason }) => ({ ...reason, ...(via ? { via: [...via] } : {}) })),
  };
}

function describeNotices(report: CodeReport): Pick<CodeRun, "notices" | "coded_notices"> {
  const { notices, codedNotices = notices.map((text) => makeNotice("other", { text })) } = report;
  if (notices.length === 0) return {};
  return {
    notices: [...notices],
    coded_notices: codedNotices.map(({ values, ...notice }) => ({ ...notice, values: { ...values } })),
  };
}

function describeKilled(
  { language, code }: Pick<CodeReport, "language" | "code">,
  output: string,
  reason: Notice,
): CodeReport {
  const notices = { notices: [reason.text], codedNotices: [reason] };
  return { language, code, output, status: "killed", exitCode: 137, truncated: false, ...notices };
}
