import { makeNotice, type Notice } from "@atoll/protocol";
import { readFileSync } from "node:fs";
import {
  AtollError,
  type Command,
  type RunStatus,
  Stopwatch,
  type CallOptions,
  type Sandbox,
} from "@atoll/sandbox";
import { z } from "zod";
import type { Tool, ToolCalls, ToolContext } from "../../tool.ts";
import { notSupported } from "../abilities.ts";
import { CappedText } from "./capped-text.ts";
import { ScriptCalls } from "./script-calls.ts";

/** Of what is kept for a reader that is late, not of what may be printed. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** What is printed past the limit is dropped, but reading it costs the host. */
const MOST_PRINTED_BYTES = 64 * 1024 * 1024;
/** Ends a script whose host has gone. */
const LONGEST_MS = 3_600_000;

const EXIT_TIMED_OUT = 124;
const PRINT_CUT = makeNotice("other", { text: "What it printed was cut." });

export interface ScriptRun {
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly output: string;
  readonly truncated: boolean;
  readonly notices: readonly Notice[];
  readonly callCount: number;
}

/**
 * Runs a program in a process of its own. Its calls come as lines on stdout and are answered on stdin; what it prints
 * comes on stderr. The clock stops while a call runs: an approval may take its time.
 */
export async function runScript(
  code: string,
  { calls, timeoutMs }: { calls: ToolCalls; timeoutMs: number },
  context: ToolContext,
): Promise<ScriptRun> {
  const { sandbox, signal, report } = context;
  const command = await spawnRunner(context);
  const printed = new CappedText(sandbox.info.limits.outputBytes, (text) => report.output("stdout", text));
  const ending = new Ending(command);
  const clock = new Stopwatch(timeoutMs, () => ending.end("timeout", `Stopped after ${timeoutMs / 1000} s.`));
  const scriptCalls = new ScriptCalls(calls, (line) => command.write(line), {
    onBusy: (isBusy) => (isBusy ? clock.pause() : clock.resume()),
    onViolation: (what) => ending.end("killed", `Stopped: ${what}.`),
    onFault: (error) => ending.fail(error),
  });
  const stop = () => ending.end("killed", makeNotice("stopped_by_caller", {}));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const opening = { code, tools: calls.tools.map(describeTool) };
    const follow = consume(command, printed, scriptCalls, ending);
    await Promise.all([command.write(`${JSON.stringify(opening)}\n`), follow]);
    const exit = await command.wait();
    if (exit.status === "timeout") ending.end("timeout", `Stopped after ${LONGEST_MS / 60_000} minutes.`);
    else if (exit.signal !== undefined) ending.end("killed", `Ended by ${exit.signal}.`);
    const { reason } = ending;
    if (ending.fault !== undefined) throw ending.fault;
    return {
      status: reason?.status ?? exit.status,
      exitCode: reason?.status === "timeout" ? EXIT_TIMED_OUT : exit.exitCode,
      output: printed.end(),
      truncated: printed.isCut,
      notices: [...(reason ? [reason.notice] : []), ...(printed.isCut ? [PRINT_CUT] : [])],
      callCount: scriptCalls.count,
    };
  } finally {
    clock.stop();
    scriptCalls.close();
    signal.removeEventListener("abort", stop);
    await command.kill().catch(ignoreDead);
  }
}

async function consume(
  command: Command,
  printed: CappedText,
  scriptCalls: ScriptCalls,
  ending: Ending,
): Promise<void> {
  for await (const { stream, bytes } of command.follow()) {
    if (stream === "stdout") await scriptCalls.take(bytes);
    else printed.add(bytes);
    if (printed.totalBytes > MOST_PRINTED_BYTES) ending.end("killed", "Stopped: it printed too much.");
  }
}

async function spawnRunner({ sandbox, signal }: ToolContext): Promise<Command> {
  try {
    return await sandbox.commands.spawn(["python3", "-u", "-c", readRunner()], {
      stdin: true,
      maxOutputBytes: KEPT_BYTES,
      timeoutMs: LONGEST_MS,
      signal,
    });
  } catch (error) {
    if (error instanceof AtollError && error.code === "not_found")
      throw notSupported("the sandbox has no python3");
    throw error;
  }
}

/** Whether a command was started by `runScript`. */
function isProgram(command: string | readonly string[]): boolean {
  return typeof command !== "string" && command.at(-1) === readRunner();
}

function readRunner(): string {
  runner ??= readFileSync(new URL("runner.py", import.meta.url), "utf8");
  return runner;
}

let runner: string | undefined;

/** What the module in the sandbox has to know of a tool. */
function describeTool({ name, description, input }: Tool) {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  const parameters = Object.keys(properties);
  return { name, description, parameters, nullable: parameters.filter((key) => isNullable(properties[key])) };
}

function isNullable(schema: z.core.JSONSchema._JSONSchema | undefined): boolean {
  if (typeof schema !== "object") return false;
  return [schema.type].flat().some((type) => type === "null") || (schema.anyOf ?? []).some(isNullable);
}

/** Why the host ended the script: the first reason counts. */
class Ending {
  reason: { status: RunStatus; notice: Notice } | undefined;
  fault: unknown;
  readonly #command: Command;

  constructor(command: Command) {
    this.#command = command;
  }

  end(status: RunStatus, notice: Notice | string): void {
    if (this.reason) return;
    this.reason = {
      status,
      notice: typeof notice === "string" ? makeNotice("other", { text: notice }) : notice,
    };
    void this.#command.kill().catch(ignoreDead);
  }

  fail(fault: unknown): void {
    this.fault ??= fault;
    this.end("killed", "Stopped by a defect.");
  }
}

/** The sandbox has gone, and the script with it. */
function ignoreDead(error: unknown): void {
  if (!(error instanceof AtollError)) throw error;
}

/** Ends running programs of `execute_code` whose calls can no longer be answered. */
export async function endPrograms(sandbox: Sandbox, options: CallOptions = {}): Promise<void> {
  if (!sandbox.info.capabilities.shell) return;
  const commands = await sandbox.commands.list(options);
  for (const { commandId } of commands.filter((each) => each.isRunning && isProgram(each.command))) {
    const command = await sandbox.commands.get(commandId, options);
    await command.kill(options);
  }
}
