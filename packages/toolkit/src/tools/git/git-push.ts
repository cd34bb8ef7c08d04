import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { joinStreams } from "../program.ts";
import { gitFailure, repository, revision, runGit } from "./git.ts";

const TIMEOUT_MS = 600_000;

const input = z.strictObject({
  path: repository,
  remote: revision.default("origin"),
  branch: revision.default("HEAD").describe("Branch to push; HEAD is the current one"),
});

export const gitPush = defineTool(import.meta.url, {
  name: "git_push",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  async run({ path, remote, branch }, context) {
    const args = ["push", "--set-upstream", "--", remote, branch];
    const result = await runGit(args, path, context, { timeoutMs: TIMEOUT_MS });
    return result.exitCode === 0 ? success(joinStreams(result) || "Pushed.") : gitFailure(result);
  },
});
