import type { RunResult } from "@atoll/sandbox";

const MAX_CHARS = 4000;

/** A run as one JSON object, in the form that users of the first of our systems know. */
export interface StructuredRun {
  /** `warning`: it went well, and wrote something to stderr. */
  readonly status: "ok" | "warning" | "error" | "timeout";
  readonly exit_code: number;
  readonly timed_out: boolean;
  /** The first 4000 characters. */
  readonly stdout: string;
  /** The last 4000 characters; a traceback is at its end. */
  readonly stderr: string;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  readonly duration_ms: number;
  readonly images: readonly { readonly path?: string; readonly name: string; readonly mime: string }[];
  /** The value of the last expression. */
  readonly result?: string;
  readonly notices?: readonly string[];
  /** Where there are two: the one that it ran in. */
  readonly runtime?: "pyodide" | "cpython";
  readonly code?: string;
}

export function structureRun(run: RunResult, code: string, env = process.env): StructuredRun {
  const stderr = [run.stderr, run.error?.traceback ?? ""].filter(Boolean).join("\n");
  const result = run.results.find(({ isMain }) => isMain)?.text;
  return {
    status: describeStatus(run, stderr),
    exit_code: run.exitCode,
    timed_out: run.status === "timeout",
    stdout: run.stdout.slice(0, MAX_CHARS),
    stderr: stderr.slice(-MAX_CHARS),
    stdout_truncated: run.truncated.stdout || run.stdout.length > MAX_CHARS,
    stderr_truncated: run.truncated.stderr || stderr.length > MAX_CHARS,
    duration_ms: Math.round(run.durationMs),
    images: listImages(run),
    ...(result !== undefined && { result: result.slice(0, MAX_CHARS) }),
    ...(run.notices.length > 0 && { notices: run.notices }),
    ...(run.place && { runtime: run.place.runtime }),
    ...(isEchoWanted(env) && { code }),
  };
}

function describeStatus({ status }: RunResult, stderr: string): StructuredRun["status"] {
  if (status === "timeout") return "timeout";
  if (status !== "ok") return "error";
  return stderr === "" ? "ok" : "warning";
}

/** Files that it made, and figures that it showed. */
function listImages({ artifacts, results }: RunResult): StructuredRun["images"] {
  const files = artifacts
    .filter(({ mime }) => mime.startsWith("image/"))
    .map(({ path, mime }) => ({ path, name: path.split("/").pop() ?? path, mime }));
  const figures = results.flatMap(({ png, jpeg }, index) => {
    if (png !== undefined) return [{ name: `figure-${index + 1}.png`, mime: "image/png" }];
    return jpeg === undefined ? [] : [{ name: `figure-${index + 1}.jpg`, mime: "image/jpeg" }];
  });
  return [...files, ...figures];
}

function isEchoWanted(env: NodeJS.ProcessEnv): boolean {
  return ["1", "true"].includes(env["SANDBOX_ECHO_CODE"]?.toLowerCase() ?? "");
}
