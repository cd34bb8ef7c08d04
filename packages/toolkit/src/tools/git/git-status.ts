import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { gitFailure, repository, runGit } from "./git.ts";

const input = z.strictObject({ path: repository });

export const gitStatus = defineTool(import.meta.url, {
  name: "git_status",
  input,
  isReadOnly: true,
  async run({ path }, context) {
    const args = ["--no-optional-locks", "status", "--short", "--branch", "--untracked-files=all"];
    const result = await runGit(args, path, context);
    if (result.exitCode !== 0) return gitFailure(result);
    const [branch = "", ...changes] = result.stdout.trimEnd().split("\n");
    const data = {
      branch: branch.replace(/^## /, ""),
      changes: changes.map((line) => ({ status: line.slice(0, 2).trim(), path: line.slice(3) })),
    };
    return success([branch, ...(changes.length > 0 ? changes : ["(nothing has changed)"])].join("\n"), {
      data,
    });
  },
});
