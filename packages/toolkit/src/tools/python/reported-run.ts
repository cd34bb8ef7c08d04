import type { PythonRunOptions, RunResult } from "@atoll/sandbox";
import type { ToolContext } from "../../tool.ts";
import { renderRun } from "./run-text.ts";

/** Runs Python and reports it: output as it comes, files and the whole at the end. */
export async function runReported(
  code: string,
  options: Pick<PythonRunOptions, "timeoutMs" | "place">,
  { sandbox, signal, report }: Pick<ToolContext, "sandbox" | "signal" | "report">,
): Promise<RunResult> {
  report.codeStarted({ language: "python", code });
  const run = await sandbox.python.run(code, {
    signal,
    copyArtifacts: false,
    ...options,
    onStdout: (text) => report.output("stdout", text),
    onStderr: (text) => report.output("stderr", text),
    onResult: (result) => report.result(result),
  });
  for (const artifact of run.artifacts) report.artifact(artifact);
  report.codeEnded({
    language: "python",
    code,
    output: renderRun(run),
    status: run.status,
    exitCode: run.exitCode,
    truncated: run.truncated.stdout || run.truncated.stderr || run.truncated.results,
    error: run.error,
    place: run.place,
    notices: run.notices,
    codedNotices: run.codedNotices,
  });
  return run;
}
