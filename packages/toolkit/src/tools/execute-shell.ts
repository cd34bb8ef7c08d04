import type { CommandResult } from "@atoll/sandbox";
import { z } from "zod";
import { readModelText } from "../model-text.ts";
import type { Tool } from "../tool.ts";
import { timeoutOptions, timeoutSeconds } from "./timeout.ts";

const input = z.object({
  command: z.string().min(1).describe("For bash"),
  cwd: z.string().optional().describe("Folder to run in; default the workspace"),
  timeout_seconds: timeoutSeconds,
});

export const executeShell: Tool<z.infer<typeof input>> = {
  name: "execute_shell",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ command, cwd, timeout_seconds }, { sandbox, signal, report }) {
    report.codeStarted({ language: "shell", code: command });
    const result = await sandbox.commands.run(command, {
      signal,
      ...timeoutOptions(timeout_seconds),
      ...(cwd === undefined ? {} : { cwd }),
      onStdout: (text) => report.output("stdout", text),
      onStderr: (text) => report.output("stderr", text),
    });
    const output = [result.stdout, result.stderr]
      .map((part) => part.trimEnd())
      .filter((part) => part !== "")
      .join("\n");
    report.codeEnded({
      language: "shell",
      code: command,
      output,
      status: result.status,
      exitCode: result.exitCode,
      truncated: result.truncated.stdout || result.truncated.stderr,
      notices: result.notices,
    });
    return {
      text: [output || "(no output)", ...listNotes(result)].join("\n"),
      isError: result.exitCode !== 0,
    };
  },
};

function listNotes(result: CommandResult): string[] {
  const exit = result.exitCode === 0 ? [] : [`Exit code ${result.exitCode}`];
  return [...exit, ...result.notices].map((note) => `[${note}]`);
}
