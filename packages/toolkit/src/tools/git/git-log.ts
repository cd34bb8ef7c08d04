import { z } from "zod";
import { defineTool } from "../../define-tool.ts";
import { success } from "../../output.ts";
import { fileNames, gitFailure, repository, revision, runGit } from "./git.ts";

const input = z.strictObject({
  path: repository,
  max_count: z.int().min(1).max(1000).optional().describe("Default 20"),
  revision: revision.optional().describe("Branch, tag, commit or range to begin at; default the current one"),
  files: fileNames.optional().describe("Only commits that changed these files"),
});

export const gitLog = defineTool(import.meta.url, {
  name: "git_log",
  input,
  isReadOnly: true,
  async run({ path, max_count = 20, revision: from, files = [] }, context) {
    const args = [
      "log",
      `--max-count=${max_count}`,
      "--format=%H%x1f%an%x1f%aI%x1f%s",
      ...(from ? [from] : []),
    ];
    const result = await runGit([...args, "--", ...files], path, context);
    if (result.exitCode !== 0) return gitFailure(result);
    const commits = result.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [hash = "", author = "", date = "", subject = ""] = line.split("\u001f");
        return { hash, author, date, subject };
      });
    const lines = commits.map(
      ({ hash, author, date, subject }) => `${hash.slice(0, 10)} ${date} ${author}: ${subject}`,
    );
    return success(lines.join("\n") || "(no commit)", { data: commits });
  },
});
