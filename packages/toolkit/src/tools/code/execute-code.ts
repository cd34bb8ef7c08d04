import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { notSupported, requireAbility } from "../abilities.ts";
import { runStatus, timeoutSeconds } from "../code-run.ts";
import { runScript } from "./script.ts";

const input = z.strictObject({
  code: z.string().min(1).describe("A Python program; begins with e.g. `from tools import grep, file_read`"),
  timeout_seconds: timeoutSeconds,
});

export const executeCode = defineTool(import.meta.url, {
  name: "execute_code",
  input,
  output: z.object({ status: runStatus, output: z.string(), tool_calls: z.int() }),
  isReadOnly: false,
  async run({ code, timeout_seconds }, context) {
    const { calls, report, sandbox } = context;
    if (!calls) throw notSupported("this session lets no program call its tools");
    requireAbility(context, "shell");
    report.codeStarted({ language: "python", code });
    const tools = calls.tools.filter(({ name }) => name !== executeCode.name);
    const timeoutMs = timeout_seconds === undefined ? sandbox.info.limits.timeoutMs : timeout_seconds * 1000;
    const run = await runScript(code, { calls: { ...calls, tools }, timeoutMs }, context);
    const { status, exitCode, notices: codedNotices, truncated } = run;
    const notices = codedNotices.map(({ text }) => text);
    const output = run.output.trimEnd();
    report.codeEnded({
      language: "python",
      code,
      output,
      status,
      exitCode,
      truncated,
      notices,
      codedNotices,
    });
    const notes = status === "error" ? [`Exit code ${exitCode}`, ...notices] : notices;
    return {
      text: [output || "(nothing was printed)", ...notes.map((note) => `[${note}]`)].join("\n"),
      isError: status !== "ok",
      data: { status, output, tool_calls: run.callCount },
    };
  },
});
