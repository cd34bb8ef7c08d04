import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { lastLine, runCommand, SetupError } from "./command.mjs";
import { readJson } from "./stamp.mjs";

/**
 * The package `node` fetches its binary in an install script. Where scripts are switched off
 * (`ignore-scripts`), run that one script, which package.json allows by name.
 * @param {string} root
 */
export async function ensurePinnedNode(root) {
  if (await hasPinnedNode(root)) return;
  const link = linkOf(root);
  const packageDir = join(root, "node_modules/node");
  const fetched = await runCommand(process.execPath, ["installArchSpecificPackage"], { cwd: packageDir });
  if (fetched.exitCode === 0 && !existsSync(link)) {
    rmSync(link, { force: true });
    symlinkSync("../node/bin/node", link);
  }
  if (await hasPinnedNode(root)) return;
  const version = (await nodeVersion(link)) ?? "not there";
  throw new SetupError(
    `node_modules/.bin/node should be Node ${wantedVersion(root)} and is ${version}: ${lastLine(fetched.output)}\n` +
      "  Allow npm to run the install script of the package `node` (npm config delete ignore-scripts), " +
      "remove node_modules and run the same command again.",
  );
}

/** @param {string} root */
export async function hasPinnedNode(root) {
  return (await nodeVersion(linkOf(root))) === wantedVersion(root);
}

/** @param {string} root */
function linkOf(root) {
  return join(root, "node_modules/.bin/node");
}

/** @param {string} root */
function wantedVersion(root) {
  return `v${readJson(join(root, "package.json"))?.["devDependencies"]?.node}`;
}

/** @param {string} path */
async function nodeVersion(path) {
  const { exitCode, output } = await runCommand(path, ["--version"]);
  return exitCode === 0 ? output.trim() : undefined;
}
