// `npm run hooks`: git formats and checks what is committed here from now on; `npm run hooks -- --off` ends it.
// A choice of each contributor, never made by the set-up. It holds for all worktrees of the clone.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { runTypeCheck } from "./hooks/types.ts";

const FOLDER = ".githooks";

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  const { message, isRefused } = switchHooks(root, { isOff: process.argv.includes("--off") });
  console.log(message);
  if (isRefused) process.exitCode = 1;
  else if (!process.argv.includes("--off")) {
    // The first type check reads everything, the later ones only what has changed: better here than at a commit.
    console.log("Types are checked once, so that commits need not wait for it …");
    runTypeCheck(root);
  }
}

/** Hooks that somebody has set up otherwise are left alone. */
export function switchHooks(
  repository: string,
  { isOff }: { isOff: boolean },
): { message: string; isRefused: boolean } {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: repository, encoding: "utf8" });
  const present = git("config", "--local", "core.hooksPath").stdout.trim();
  if (present !== "" && present !== FOLDER)
    return { message: `core.hooksPath is ${present} already: it is left as it is`, isRefused: true };
  if (isOff) {
    if (present !== "") git("config", "--local", "--unset", "core.hooksPath");
    return { message: "The hooks are off.", isRefused: false };
  }
  const { status, stderr } = git("config", "--local", "core.hooksPath", FOLDER);
  if (status !== 0) return { message: `git refuses it: ${stderr.trim()}`, isRefused: true };
  return {
    message: "The hooks are on: commits are formatted and checked. To end it: npm run hooks -- --off",
    isRefused: false,
  };
}
