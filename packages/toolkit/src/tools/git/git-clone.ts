import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { joinStreams } from "../program.ts";
import { gitFailure, revision, runGit } from "./git.ts";

const TIMEOUT_MS = 600_000;

const input = z.strictObject({
  url: z.string().min(1).describe("Address of the repository, or its path in the sandbox"),
  path: z.string().min(1).optional().describe("Folder to make; default named after the repository"),
  branch: revision.optional().describe("Branch or tag to check out; default the repository's own"),
  depth: z.int().min(1).optional().describe("Only this many commits"),
});

export const gitClone = defineTool(import.meta.url, {
  name: "git_clone",
  input,
  isReadOnly: false,
  isOpenWorld: true,
  async run({ url, path, branch, depth }, context) {
    const flags = [...(branch ? ["--branch", branch] : []), ...(depth ? ["--depth", String(depth)] : [])];
    const args = ["clone", ...flags, "--", url, ...(path === undefined ? [] : [path])];
    const result = await runGit(args, undefined, context, { timeoutMs: TIMEOUT_MS });
    return result.exitCode === 0 ? success(joinStreams(result) || "Cloned.") : gitFailure(result);
  },
});
