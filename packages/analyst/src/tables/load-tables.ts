import { AtollError, type RunResult, type Sandbox } from "@atoll/sandbox";
import { makeCell } from "./program.ts";
import type { DataProfile } from "@atoll/protocol";
import { Reading } from "./reading.ts";

export interface LoadOptions {
  signal?: AbortSignal;
  /** For all files together. */
  timeoutMs?: number;
  /** Names of files in the order in which the user gave them: the first table becomes `df`. Others follow by name. */
  order?: readonly string[];
  /** Describes files whose tables the kernel already has. They are not read again. */
  known?: DataProfile;
}

const defaultTimeoutMs = 120_000;
const leastTimeMs = 500;

/**
 * Reads the files at `/data` into variables of the sandbox's default kernel and says what they are. A file that cannot
 * be read is listed with its problem; only a failing or aborted sandbox is an error.
 */
export async function loadTables(sandbox: Sandbox, options: LoadOptions = {}): Promise<DataProfile> {
  const deadline = performance.now() + (options.timeoutMs ?? defaultTimeoutMs);
  const reading = new Reading(options.known);
  const { capabilities, driver } = sandbox.info;
  if (capabilities.lacks?.includes("pandas")) {
    const problem = `tables are read with pandas, which the runtime ${driver} does not have`;
    const profile = reading.finish(problem, await listFiles(sandbox, options));
    return { ...profile, lacks: { package: "pandas", runtime: driver } };
  }
  while (true) {
    const leftMs = deadline - performance.now();
    if (leftMs < leastTimeMs) return reading.finish("there was no time left to read it");
    const run = await runOnce(sandbox, reading, options, leftMs);
    if (options.signal?.aborted) throw aborted(options.signal);
    if (reading.isComplete) return reading.finish();
    const failure = describeFailure(run);
    if (!reading.blame(failure, run.kernelRestarted)) {
      return reading.finish(failure, await listFiles(sandbox, options));
    }
  }
}

async function runOnce(
  sandbox: Sandbox,
  reading: Reading,
  { signal, order = [] }: LoadOptions,
  leftMs: number,
): Promise<RunResult> {
  if (signal?.aborted) throw aborted(signal);
  const { paths, limits } = sandbox.info;
  const cell = makeCell({
    folder: paths.data,
    outputs: paths.outputs,
    order,
    memoryBytes: limits.memoryBytes,
    known: reading.known,
    done: reading.done,
    taken: reading.taken,
  });
  // Some time is kept back: one file that takes for ever must not cost the others their turn.
  const timeoutMs = Math.ceil(reading.isLast ? leftMs : Math.max(leastTimeMs, leftMs * 0.7));
  return sandbox.python.run(cell, {
    timeoutMs,
    maxOutputBytes: 4096,
    signal,
    onResult: (output) => reading.take(output),
  });
}

function describeFailure(run: RunResult): string {
  if (run.status === "timeout") return "reading it took too long";
  if (run.status === "killed") return "reading it needs more memory than the sandbox has";
  return `reading it failed${run.error ? ` (${run.error.name})` : ""}`;
}

/** When not even the list of files came out of the kernel. */
async function listFiles(sandbox: Sandbox, { signal }: LoadOptions): Promise<DataProfile["others"]> {
  const entries = await sandbox.files.list(sandbox.info.paths.data, signal ? { signal } : {});
  return entries
    .filter((entry) => entry.kind === "file")
    .slice(0, 500)
    .map(({ path, name, sizeBytes }) => ({ file: path, name, size_bytes: sizeBytes }));
}

function aborted(signal: AbortSignal): AtollError {
  return new AtollError("aborted", "reading the files was given up", { cause: signal.reason });
}
