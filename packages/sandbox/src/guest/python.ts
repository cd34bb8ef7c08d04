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
import { type Guest, withTimeout } from "./guest.ts";
import { createInspection } from "./inspection.ts";
import { checkDuration, checkRange, checkText } from "./arguments.ts";
import { parseOutput } from "./run-output.ts";
import { TextCollector } from "./text.ts";

const maxCodeBytes = 64 * 1024 * 1024;

/** What the guest replies to a run; output and results come as events before it. */
type RunReply = Pick<
  RunResult,
  "status" | "exitCode" | "truncated" | "error" | "durationMs" | "kernelRestarted" | "notices"
> & { artifacts: Artifact[] };

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
  const stdout = new TextCollector(options.onStdout);
  const stderr = new TextCollector(options.onStderr);
  const results: RunOutput[] = [];
  const { result } = await guest.call<RunReply>(
    "python.run",
    { context: checkText("context", options.context ?? "default"), timeoutMs, maxOutputBytes },
    {
      body,
      signal: options.signal,
      awaitsAbort: true,
      onEvent(event) {
        if (event.name === "stdout") stdout.push(event.body);
        else if (event.name === "stderr") stderr.push(event.body);
        else {
          const output = parseOutput(event.body);
          results.push(output);
          options.onResult?.(output);
        }
      },
    },
  );
  const artifacts = result.artifacts.map((artifact) => withHostPath(artifact, guest));
  const located = artifacts.flatMap(({ path, hostPath }) => (hostPath ? [[path, hostPath] as const] : []));
  return {
    runId: `run-${randomUUID()}`,
    ...result,
    stdout: stdout.finish().text,
    stderr: stderr.finish().text,
    results,
    artifacts,
    artifactMap: Object.fromEntries(located),
  };
}

function withHostPath(artifact: Artifact, guest: Guest): Artifact {
  const hostPath = guest.hostPath(artifact.path);
  return hostPath ? { ...artifact, hostPath } : artifact;
}
