import type { CommandResult } from "@atoll/sandbox";
import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { requireAbility } from "../abilities.ts";
import { timeoutOptions, timeoutSeconds } from "../code-run.ts";
import { joinStreams } from "../program.ts";

const input = z.strictObject({
  command: z.string().min(1).describe("For bash"),
  cwd: z.string().optional().describe("Folder to run in; default the workspace"),
  timeout_seconds: timeoutSeconds,
  background: z
    .boolean()
    .optional()
    .describe("Start it and come back at once, e.g. for a server; its output goes to a file"),
});

type Input = z.infer<typeof input>;

export const executeShell = defineTool(import.meta.url, {
  name: "execute_shell",
  input,
  isReadOnly: false,
  run(given, context) {
    requireAbility(context, "shell");
    return given.background ? startCommand(given, context) : runCommand(given, context);
  },
});

async function runCommand(given: Input, { sandbox, signal, report }: ToolContext): Promise<ToolOutput> {
  const { command } = given;
  report.codeStarted({ language: "shell", code: command });
  const result = await sandbox.commands.run(command, {
    signal,
    ...placeAndTime(given),
    onStdout: (text) => report.output("stdout", text),
    onStderr: (text) => report.output("stderr", text),
  });
  const output = joinStreams(result);
  const { status, exitCode, stdout, stderr, truncated, notices, codedNotices } = result;
  report.codeEnded({
    language: "shell",
    code: command,
    output,
    status,
    exitCode,
    truncated: truncated.stdout || truncated.stderr,
    notices,
    codedNotices,
  });
  return {
    text: [output || "(no output)", ...listNotes(result)].join("\n"),
    isError: exitCode !== 0,
    data: { exit_code: exitCode, status, stdout, stderr },
  };
}

/** Its output goes to a file as well, which any tool can read. */
const BACKGROUND = 'mkdir -p -- "${0%/*}"; (eval "$1") 2>&1 | tee -- "$0"; exit "${PIPESTATUS[0]}"';

async function startCommand(given: Input, context: ToolContext): Promise<ToolOutput> {
  const { sandbox, signal, callId } = context;
  const log = `${sandbox.info.paths.session}/outputs/${callId}.log`;
  const words = ["/bin/bash", "-c", BACKGROUND, log, given.command];
  const { commandId, pid } = await sandbox.commands.spawn(words, { signal, ...placeAndTime(given) });
  const text = `Started in the background: id ${commandId}, pid ${pid}. Its output goes to ${log}. \`kill -- -${pid}\` ends it.`;
  return success(text, { data: { id: commandId, pid, log } });
}

function placeAndTime({ cwd, timeout_seconds }: Input) {
  return { ...timeoutOptions(timeout_seconds), cwd };
}

function listNotes(result: CommandResult): string[] {
  const exit = result.exitCode === 0 ? [] : [`Exit code ${result.exitCode}`];
  return [...exit, ...result.notices].map((note) => `[${note}]`);
}
