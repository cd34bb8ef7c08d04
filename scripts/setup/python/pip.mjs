import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand } from "../command.mjs";

/** Asked for first: small, and of the lock. A reachable index answers within seconds. */
const PROBE_PACKAGE = "cycler";
const PROBE_PATIENCE = ["--retries", "1", "--timeout", "20"];

/**
 * Installs a lock file with pip: wheels only and by hash, so nothing is built and nothing is substituted.
 * @param {string} python
 * @param {string} lockFile
 * @param {string} scratchDir
 * @param {(counter: string) => void} report
 * @returns {Promise<string | undefined>} why it failed
 */
export async function installLocked(python, lockFile, scratchDir, report) {
  report("asking the package index");
  const unreachable = await probeIndex(python, scratchDir);
  if (unreachable) return unreachable;

  const total = countLocked(lockFile);
  let collected = 0;
  const installed = await runPip(
    python,
    ["install", "--require-hashes", "--no-compile", "-r", lockFile],
    (line) => {
      if (line.startsWith("Collecting ")) report(`${++collected} of ${total} packages fetched`);
      if (line.startsWith("Installing collected")) report(`unpacking ${total} packages`);
    },
  );
  return installed.exitCode === 0 ? undefined : `pip failed: ${describePipError(installed.output)}`;
}

/**
 * Finds out in seconds whether the package index answers, with whatever mirror and proxy pip is set to;
 * the install itself is then as patient as pip's own settings say.
 * @param {string} python @param {string} scratchDir
 */
async function probeIndex(python, scratchDir) {
  const args = ["download", "--no-deps", ...PROBE_PATIENCE, "-d", join(scratchDir, "probe"), PROBE_PACKAGE];
  const { exitCode, output } = await runPip(python, args);
  return exitCode === 0
    ? undefined
    : `the Python package index cannot be reached (${describeReason(output)})`;
}

/** @param {string} python @param {string[]} args @param {(line: string) => void} [onLine] */
function runPip(python, [command = "", ...args], onLine) {
  const env = {
    PIP_USER: "0",
    PIP_TARGET: undefined,
    PIP_PREFIX: undefined,
    PIP_REQUIRE_VIRTUALENV: undefined,
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
  };
  const options = ["--no-input", "--progress-bar", "off", "--only-binary", ":all:"];
  return runCommand(python, ["-I", "-m", "pip", command, ...options, ...args], {
    env,
    ...(onLine && { onLine }),
  });
}

/** @param {string} lockFile */
function countLocked(lockFile) {
  return readFileSync(lockFile, "utf8").match(/^[a-z0-9][^\s=]*==/gm)?.length ?? 0;
}

/** @param {string} output */
function describePipError(output) {
  return (
    output
      .split("\n")
      .find((line) => line.startsWith("ERROR: "))
      ?.slice(7) ?? lastLine(output)
  );
}

/** @param {string} output */
function describeReason(output) {
  return (
    /Connection refused|timed out|Name or service not known|name resolution|40[134] |certificate/i.exec(
      output,
    )?.[0] ?? describePipError(output)
  );
}
