import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { fileNames, gitFailure, repository, revision, runGit } from "./git.ts";

const input = z.strictObject({
  path: repository,
  staged: z.boolean().optional().describe("What is staged, instead of what is not"),
  revision: revision.optional().describe("Compare with this commit or branch, or two of them: main..work"),
  files: fileNames.optional().describe("Only these files"),
});

export const gitDiff = defineTool(import.meta.url, {
  name: "git_diff",
  input,
  isReadOnly: true,
  async run({ path, staged = false, revision: against, files = [] }, context) {
    const args = [
      "--no-optional-locks",
      "diff",
      "--no-ext-diff",
      "--no-textconv",
      ...(staged ? ["--cached"] : []),
    ];
    const result = await runGit([...args, ...(against ? [against] : []), "--", ...files], path, context);
    if (result.exitCode !== 0) return gitFailure(result);
    return success(result.stdout.trimEnd() || "(no difference)");
  },
});
