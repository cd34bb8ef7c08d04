import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const tools = join(resolve(import.meta.dirname, "../.."), "node_modules/.bin");
const PROJECTS = ["tsconfig.json", "packages/web/tsconfig.json"];

/**
 * Checks the types of the working tree; what was checked before is remembered in `.atoll`. Gives the lines of the
 * compiler, or undefined where it was not done in time.
 */
export function runTypeCheck(root: string, timeoutMs?: number): string[] | undefined {
  const endsAt = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const lines: string[] = [];
  for (const project of PROJECTS.filter((path) => existsSync(join(root, path)))) {
    const memory = join(root, ".atoll/hooks", project.replaceAll("/", "-").replace(/json$/, "tsbuildinfo"));
    const args = ["-p", project, "--pretty", "false", "--incremental", "--tsBuildInfoFile", memory];
    const { signal, stdout } = spawnSync(join(tools, "tsc"), args, {
      cwd: root,
      encoding: "utf8",
      ...(endsAt === undefined ? {} : { timeout: Math.max(1, Math.round(endsAt - performance.now())) }),
    });
    if (signal !== null) return undefined;
    lines.push(...stdout.split("\n").filter(Boolean));
  }
  return lines;
}
