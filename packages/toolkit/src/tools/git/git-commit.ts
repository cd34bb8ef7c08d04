import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import type { ToolContext } from "../../tool.ts";
import { fileNames, gitFailure, repository, runGit } from "./git.ts";

const input = z.strictObject({
  message: z.string().min(1),
  path: repository,
  files: fileNames.optional().describe("Only these files; default all changes, new files too"),
});

export const gitCommit = defineTool(import.meta.url, {
  name: "git_commit",
  input,
  isReadOnly: false,
  async run({ message, path, files }, context) {
    const staging = await runGit(["add", "--all", "--", ...(files ?? ["."])], path, context);
    if (staging.exitCode !== 0) return gitFailure(staging);
    const identity = await pickIdentity(path, context);
    const only = files ? ["--", ...files] : [];
    const result = await runGit([...identity, "commit", "--message", message, ...only], path, context);
    return result.exitCode === 0 ? success(result.stdout.trimEnd()) : gitFailure(result);
  },
});

/** Git refuses a commit without an author. */
async function pickIdentity(path: string | undefined, context: ToolContext): Promise<string[]> {
  const known = await runGit(["config", "--get", "user.email"], path, context);
  return known.exitCode === 0 ? [] : ["-c", "user.name=Atoll", "-c", "user.email=atoll@localhost"];
}
