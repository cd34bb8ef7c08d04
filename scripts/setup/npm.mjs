import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand, SetupError } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { countInstalled, countLocked, isTreeComplete, listManifests } from "./node-modules.mjs";
import { ensurePinnedNode, hasPinnedNode } from "./pinned-node.mjs";
import { digestFacts, readStamp, writeStamp } from "./stamp.mjs";

const PART = "npm packages";
const INSTALL = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Installs what package-lock.json names, and with it the pinned Node. `npm install --no-save` rather
 * than `npm ci`: a registry mirror that holds one platform only gives a lock that `npm ci` rejects.
 * @param {import("./checkout.mjs").Checkout} checkout
 * @param {import("./progress.mjs").Progress} progress
 */
export async function setUpNpm(checkout, progress) {
  const digest = digestNpm(checkout.root);
  if (isInstalled(checkout, digest)) return;
  await withLock(
    `npm ${checkout.root}`,
    async () => {
      if (isInstalled(checkout, digest)) return;
      if (!(await isUsable(checkout))) await install(checkout, progress);
      forgetCheckedTypes(checkout.root);
      writeStamp(checkout.stateDir, "npm", digest);
    },
    (seconds) => progress.note(PART, `another set-up of this checkout is running; waiting (${seconds} s)`),
  );
}

/**
 * An incremental type check does not notice packages that have come since: it repeats that they are missing.
 * @param {string} root
 */
function forgetCheckedTypes(root) {
  for (const folder of ["node_modules", "packages/web/node_modules"])
    rmSync(join(root, folder, ".cache/types.tsbuildinfo"), { force: true });
}

/** @param {string} root */
function digestNpm(root) {
  const manifests = listManifests(root);
  return digestFacts({
    texts: [process.platform, process.arch, ...manifests],
    files: [
      join(root, "package-lock.json"),
      ...manifests.map((folder) => join(root, folder, "package.json")),
    ],
  });
}

/** @param {import("./checkout.mjs").Checkout} checkout @param {string} digest */
function isInstalled({ root, stateDir }, digest) {
  return (
    readStamp(stateDir, "npm", digest) !== undefined &&
    existsSync(join(root, "node_modules/.package-lock.json")) &&
    existsSync(join(root, "node_modules/.bin/node"))
  );
}

/** A tree that someone else installed, with npm itself for instance, needs no network. @param {import("./checkout.mjs").Checkout} checkout */
async function isUsable({ root, stateDir }) {
  return !existsSync(markerOf(stateDir)) && isTreeComplete(root) && (await hasPinnedNode(root));
}

/** Stands while npm runs, and stays where it was killed. @param {string} stateDir */
function markerOf(stateDir) {
  return join(stateDir, "setup/npm.unfinished");
}

/** @param {import("./checkout.mjs").Checkout} checkout @param {import("./progress.mjs").Progress} progress */
async function install({ root, stateDir }, progress) {
  const markerPath = markerOf(stateDir);
  await clearUnfinished(root, markerPath, progress);
  const total = countLocked(root);
  await progress.step(PART, `installing ${total} packages`, async (report) => {
    const counting = setInterval(() => report(describeInstalling(root, total)), 1000);
    try {
      const unreachable = await probeRegistry(root);
      const result = await runNpm([...INSTALL, ...(unreachable ? ["--offline"] : [])], root, (pid) => {
        mkdirSync(join(stateDir, "setup"), { recursive: true });
        writeFileSync(markerPath, String(pid));
      });
      // An npm that ends by itself has rolled back; one that was killed has not.
      if (!result.wasKilled) rmSync(markerPath, { force: true });
      if (result.exitCode !== 0) {
        throw new SetupError(
          `npm could not install the packages: ${unreachable ?? describeNpmError(result.output)}\n` +
            "  Check the network and the registry (npm config get registry), then run the same command again.",
        );
      }
      await ensurePinnedNode(root);
    } finally {
      clearInterval(counting);
    }
  });
}

/**
 * npm trusts a package folder by its package.json alone, so what a stopped install left is removed whole.
 * @param {string} root @param {string} markerPath @param {import("./progress.mjs").Progress} progress
 */
async function clearUnfinished(root, markerPath, progress) {
  if (!existsSync(markerPath)) return;
  progress.note(PART, "an earlier install was stopped half-way; starting over");
  const pid = Number(readFileSync(markerPath, "utf8"));
  while (isNpmAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 500));
  rmSync(join(root, "node_modules"), { recursive: true, force: true });
}

/** @param {number} pid */
function isNpmAlive(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("npm");
  } catch {
    return false;
  }
}

/**
 * Why the registry does not answer. Without asking first, npm goes on trying for each package in turn;
 * told that it is offline, it takes what its cache holds or fails at once.
 * @param {string} root
 */
async function probeRegistry(root) {
  const { exitCode, output } = await runNpm(
    ["view", "node", "dist-tags", "--fetch-retries=1", "--loglevel=error"],
    root,
  );
  return exitCode === 0 ? undefined : `the registry does not answer: ${describeNpmError(output)}`;
}

/** The npm that started this script, else the one on PATH. @param {string[]} args @param {string} cwd @param {(pid: number) => void} [onSpawn] */
function runNpm(args, cwd, onSpawn) {
  const npmCli = process.env["npm_execpath"];
  const options = { cwd, ...(onSpawn && { onSpawn }) };
  return npmCli?.endsWith(".js")
    ? runCommand(process.execPath, [npmCli, ...args], options)
    : runCommand("npm", args, options);
}

/** @param {string} root @param {number} total */
function describeInstalling(root, total) {
  const count = Math.min(countInstalled(root), total);
  const isNodeAbsent = count === total && !existsSync(join(root, "node_modules/node/bin/node"));
  return `${count} of ${total} packages${isNodeAbsent ? ", fetching Node itself" : ""}`;
}

/** @param {string} output */
function describeNpmError(output) {
  const line = output.split("\n").find((text) => /^npm (error|ERR!) (?!code|errno|syscall)/.test(text));
  return (line ?? lastLine(output)).replace(/^npm (error|ERR!) /, "");
}
