import { randomUUID } from "node:crypto";
import type { CallOptions } from "../contract/call.ts";
import type {
  Artifact,
  Python,
  PythonContext,
  PythonRunOptions,
  RunOutput,
  RunResult,
} from "../contract/python.ts";
import { AtollError } from "../errors.ts";
import { copyArtifacts } from "./artifact-copies.ts";
import { type Guest, withTimeout } from "./wire/guest.ts";
import { createInspection } from "./inspection.ts";
import { checkDuration, checkRange, checkText } from "./arguments.ts";
import { type GuestNotice, readNotices } from "./notices.ts";
import { makeOutputBudget, parseOutput } from "./run-output.ts";
import { TextCollector } from "./text.ts";

const maxCodeBytes = 64 * 1024 * 1024;
/** The guest stops at half of it. */
const maxResultBytes = 64 * 1024 * 1024;
const maxResults = 100_000;

/** What the guest replies to a run; output and results come as events before it. */
type RunReply = Pick<
  RunResult,
  "status" | "exitCode" | "truncated" | "error" | "durationMs" | "kernelRestarted"
> & { artifacts: Artifact[]; notices: readonly GuestNotice[] };

export function createPython(guest: Guest): Python {
  const ask = async <Result>(method: string, params: Record<string, unknown>, options: CallOptions = {}) =>
    (await guest.call<Result>(method, params, withTimeout(options))).result;
  return {
    ...createInspection(guest),
    run: (code, options) => run(guest, code, options),
    createContext: ({ name, ...options } = {}) => ask<PythonContext>("python.create", { name }, options),
    contexts: (options) => ask<PythonContext[]>("python.contexts", {}, options),
    restart: (context = "default", options) => ask<void>("python.restart", { context }, options),
    removeContext: (context, options) => ask<void>("python.remove", { context }, options),
    interrupt: (context = "default", options) => ask<void>("python.interrupt", { context }, options),
  };
}

async function run(guest: Guest, code: string, options: PythonRunOptions = {}): Promise<RunResult> {
  checkText("code", code);
  const timeoutMs = checkDuration("timeoutMs", options.timeoutMs ?? guest.limits.timeoutMs);
  const maxOutputBytes = checkRange("maxOutputBytes", options.maxOutputBytes ?? guest.limits.outputBytes, 0);
  const body = Buffer.from(code);
  if (body.length > maxCodeBytes) {
    throw new AtollError(
      "too_large",
      `code is larger than ${maxCodeBytes} bytes: write it to a file and import it`,
    );
  }
  const stdout = new TextCollector(maxOutputBytes, options.onStdout);
  const stderr = new TextCollector(maxOutputBytes, options.onStderr);
  const results: RunOutput[] = [];
  const budget = makeOutputBudget();
  let resultBytes = 0;
  const { result } = await guest.call<RunReply>(
    "python.run",
    { context: checkText("context", options.context ?? "default"), timeoutMs, maxOutputBytes },
    {
      body,
      signal: options.signal,
      timeoutMs,
      awaitsAbort: true,
      onEvent(event) {
        if (event.name === "stdout") stdout.push(event.body);
        else if (event.name === "stderr") stderr.push(event.body);
        else if (event.name === "result") {
          resultBytes += event.body.length;
          if (resultBytes > maxResultBytes || results.length >= maxResults)
            throw new AtollError(
              "protocol_error",
              `the guest showed more than ${maxResultBytes} bytes of values`,
            );
          const output = parseOutput(event.body, budget);
          results.push(output);
          options.onResult?.(output);
        }
      },
    },
  );
  const runId = `run-${randomUUID()}`;
  const isCopied = (options.copyArtifacts ?? true) && result.artifacts.length > 0;
  const artifacts = isCopied
    ? await copyArtifacts(guest, runId, result.artifacts, options.signal)
    : result.artifacts;
  const located = artifacts.flatMap(({ path, hostPath }) => (hostPath ? [[path, hostPath] as const] : []));
  const { status, exitCode, truncated, error, durationMs, kernelRestarted, notices } = result;
  return {
    runId,
    status,
    exitCode,
    truncated,
    ...(error && { error }),
    durationMs,
    kernelRestarted,
    ...readNotices(notices),
    stdout: stdout.finish().text,
    stderr: stderr.finish().text,
    results,
    artifacts,
    artifactMap: Object.fromEntries(located),
  };
}
