import type { CommandResult } from "@atoll/sandbox";
import { z } from "zod";
import { failure } from "../../output.ts";
import type { ToolContext, ToolOutput } from "../../tool.ts";
import { networkHint, joinStreams, runProgram } from "../program.ts";

/** Of the tools below. */
export const repository = z
  .string()
  .min(1)
  .optional()
  .describe("Folder of the repository; default the workspace");

/** A branch, tag or commit. What begins with a dash would be read as an option. */
export const revision = z.string().regex(/^[^-\s][^\s]*$/, "a branch, tag or commit");

export const fileNames = z.array(z.string().min(1)).min(1);

/** Git's names for what is asked of it, with no option read from a path. */
export async function runGit(
  args: readonly string[],
  cwd: string | undefined,
  context: ToolContext,
  options: { timeoutMs?: number } = {},
): Promise<CommandResult> {
  const settings = ["-c", "core.quotepath=off", "-c", "color.ui=false", "-c", "advice.detachedHead=false"];
  return runProgram(context, ["git", ...settings, ...args], {
    cwd,
    ...options,
    env: { GIT_TERMINAL_PROMPT: "0", GIT_PAGER: "cat", GIT_EDITOR: "true", LC_ALL: "C.UTF-8" },
  });
}

export function gitFailure(result: CommandResult): ToolOutput {
  const output = joinStreams(result);
  const notes = result.notices.map((note) => `\n[${note}]`).join("");
  return failure(`${output || "git failed"}\n[Exit code ${result.exitCode}]${notes}${networkHint(output)}`);
}
