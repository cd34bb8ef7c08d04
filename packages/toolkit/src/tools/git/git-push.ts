import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import { success } from "../../output.ts";
import type { Tool } from "../../tool.ts";
import { joinStreams } from "../program.ts";
import { gitFailure, repository, revision, runGit } from "./git.ts";

const TIMEOUT_MS = 600_000;

const input = z.object({
  path: repository,
  remote: revision.optional().describe("Default origin"),
  branch: revision.optional().describe("Branch to push; default the current one"),
});

export const gitPush: Tool<z.infer<typeof input>> = {
  name: "git_push",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  async run({ path, remote = "origin", branch = "HEAD" }, context) {
    const args = ["push", "--set-upstream", "--", remote, branch];
    const result = await runGit(args, path, context, { timeoutMs: TIMEOUT_MS });
    return result.exitCode === 0 ? success(joinStreams(result) || "Pushed.") : gitFailure(result);
  },
};
