import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { runStatus, timeoutOptions, timeoutSeconds } from "../code-run.ts";
import { joinStreams, runProgram } from "../program.ts";

const input = z.strictObject({
  code: z.string().min(1).describe("JavaScript for Node.js"),
  timeout_seconds: timeoutSeconds,
});

export const javascriptExec = defineTool(import.meta.url, {
  name: "javascript_exec",
  input,
  output: z.object({ exit_code: z.int(), status: runStatus, stdout: z.string(), stderr: z.string() }),
  isReadOnly: false,
  async run({ code, timeout_seconds }, context) {
    const { report } = context;
    const flags = isModule(code) ? (["--input-type=module"] as const) : [];
    const result = await runProgram(context, ["node", ...flags, "-"], {
      stdin: code,
      ...timeoutOptions(timeout_seconds),
      onStdout: (text) => report.output("stdout", text),
      onStderr: (text) => report.output("stderr", text),
    });
    const { exitCode, status, stdout, stderr, notices } = result;
    const notes = exitCode === 0 ? notices : [`Exit code ${exitCode}`, ...notices];
    return {
      text: [joinStreams(result) || "(no output)", ...notes.map((note) => `[${note}]`)].join("\n"),
      isError: exitCode !== 0,
      data: { exit_code: exitCode, status, stdout, stderr },
    };
  },
});

/** Whether it has what only a module may have at its top level: import, export, await. */
function isModule(code: string): boolean {
  return /^(?:import\b(?!\s*\()|export\b|await\b|(?:const|let|var)\s[^\n;]*=\s*await\b|for\s+await\b)/m.test(
    code,
  );
}
