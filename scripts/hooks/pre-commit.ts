// The pre-commit hook: lints, type checks and formats what is staged, and nothing else. A commit that it refuses
// leaves everything as it was.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { StagedFiles } from "./staged-files.ts";
import { runTypeCheck } from "./types.ts";

/** Longer than that nobody waits for a commit. What the check has remembered until then speeds up the next one. */
const typesTimeoutMs = 20_000;
const SCRIPT = /\.(ts|tsx|mts|js|mjs)$/;

const tools = join(resolve(import.meta.dirname, "../.."), "node_modules/.bin");
/** The tools run on the pinned Node, which the hook was started with. */
process.env["PATH"] = `${tools}:${process.env["PATH"] ?? ""}`;

using staged = StagedFiles.read();
const faults = staged.names.length === 0 ? [] : check(staged);
if (faults.length > 0) {
  for (const fault of faults) console.error(fault);
  console.error("pre-commit: nothing was committed and nothing changed");
  process.exitCode = 1;
} else {
  for (const name of staged.writeBack()) console.log(`pre-commit: formatted ${name}`);
}

function check(staged: StagedFiles): string[] {
  const formatting = run("oxfmt", ["--no-error-on-unmatched-pattern"], staged);
  if (formatting !== "") return [formatting];
  const scripts = staged.names.filter((name) => SCRIPT.test(name));
  return [
    ...staged.findObstacles(),
    ...(scripts.length > 0 ? [run("oxlint", ["--deny-warnings"], staged)] : []),
    ...(scripts.length > 0 ? checkTypes(staged, scripts) : []),
  ].filter(Boolean);
}

/** What a tool says of the copies of the staged files, if it fails. */
function run(tool: string, args: string[], { folder }: StagedFiles): string {
  const { status, stdout, stderr, error } = spawnSync(join(tools, tool), args, {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? "" : [stdout, stderr, error?.message].filter(Boolean).join("\n").trimEnd();
}

/** Of the working tree, since types need all files: only faults of files that are there as they are staged count. */
function checkTypes(staged: StagedFiles, scripts: readonly string[]): string[] {
  const lines = runTypeCheck(staged.repository, typesTimeoutMs);
  if (lines === undefined) {
    console.warn("pre-commit: types were not checked, since it takes too long; npm run check does it");
    return [];
  }
  const whole = scripts.filter((name) => staged.isWhole(name));
  return lines.filter((line) => whole.some((name) => line.startsWith(`${name}(`)));
}
