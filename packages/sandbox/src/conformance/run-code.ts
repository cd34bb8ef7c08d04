import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { PythonRunOptions, RunResult } from "../contract/python.ts";
import type { Sandbox } from "../contract/sandbox.ts";

/** Runs code that has to succeed; a failing test shows the traceback. */
export async function runOk(sandbox: Sandbox, code: string, options?: PythonRunOptions): Promise<RunResult> {
  const result = await sandbox.python.run(code, options);
  expect(result.status, describeFailure(result)).toBe("ok");
  return result;
}

/** The text of the last expression. */
export async function evaluate(
  sandbox: Sandbox,
  code: string,
  options?: PythonRunOptions,
): Promise<string | undefined> {
  const result = await runOk(sandbox, code, options);
  return result.results.find((output) => output.isMain)?.text;
}

/** What the code printed, as JSON. */
export async function evaluateJson<T>(
  sandbox: Sandbox,
  code: string,
  options?: PythonRunOptions,
): Promise<T> {
  return JSON.parse((await runOk(sandbox, code, options)).stdout) as T;
}

/** A Python literal. JSON's string syntax is a part of Python's. */
export function py(text: string): string {
  return JSON.stringify(text);
}

export interface WaitingRun {
  readonly result: Promise<RunResult>;
  /** Lets the run go on to its end. */
  release(): Promise<RunResult>;
}

/**
 * Starts a run and resolves once it is really going: it has printed and now waits for a file that `release` writes.
 * Whatever a test does in between happens during the run.
 */
export async function startWaiting(
  sandbox: Sandbox,
  { before = "", after = "", ...options }: PythonRunOptions & { before?: string; after?: string } = {},
): Promise<WaitingRun> {
  const gate = `${sandbox.info.paths.workspace}/.gate-${randomUUID()}`;
  const ready = Promise.withResolvers<void>();
  let seen = "";
  const result = sandbox.python.run(`${before}\n${waitFor(gate)}\n${after}`, {
    timeoutMs: 30_000,
    ...options,
    onStdout: (text) => {
      options.onStdout?.(text);
      seen += text;
      if (seen.includes("at the gate")) ready.resolve();
    },
  });
  const endedTooSoon = result.then((early) => {
    throw new Error(`the run ended before its output arrived: ${describeFailure(early)}`);
  });
  endedTooSoon.catch(() => undefined);
  await Promise.race([ready.promise, endedTooSoon]);
  return {
    result,
    release: async () => {
      await sandbox.files.write(gate, "");
      return result;
    },
  };
}

/** Python that says it is there, then waits for a file. */
export function waitFor(path: string): string {
  return `
import os as _os, time as _time
print("at the gate", flush=True)
while not _os.path.exists(${py(path)}):
    _time.sleep(0.005)
`;
}

function describeFailure(result: RunResult): string {
  const parts = [
    result.status,
    result.error?.traceback,
    result.stderr.slice(-2000),
    result.notices.join("; "),
  ];
  return parts.filter(Boolean).join("\n");
}
