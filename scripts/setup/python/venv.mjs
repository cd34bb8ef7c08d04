import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { runCommand } from "../command.mjs";
import { readJson, writeJson } from "../stamp.mjs";
import { installLocked } from "./pip.mjs";

const MARKER = "atoll.json";

/** A venv under its final name is complete: it gets that name last. @param {string} venvDir */
export function isVenvComplete(venvDir) {
  return readJson(join(venvDir, MARKER)) !== undefined && existsSync(join(venvDir, "bin/python3"));
}

/**
 * Makes a venv with exactly the packages of a lock file, byte-compiled. It grows under a temporary name
 * and is renamed when complete, so no reader and no later run ever meets half of one.
 * @param {object} options
 * @param {import("./interpreter.mjs").Interpreter} options.interpreter
 * @param {string} options.lockFile
 * @param {string} options.venvDir
 * @param {string} [options.borrowedFrom]  Another venv whose packages this one can import too.
 * @param {(python: string, venvDir: string) => Promise<string[]>} [options.findMissing]
 * @param {(counter: string) => void} options.report
 * @returns {Promise<{ failure?: string }>}
 */
export async function buildVenv({ interpreter, lockFile, venvDir, borrowedFrom, findMissing, report }) {
  removeLeftovers(venvDir);
  const buildDir = `${venvDir}.tmp-${process.pid}`;
  const python = join(buildDir, "bin/python3");
  mkdirSync(dirname(venvDir), { recursive: true });
  try {
    report("making the venv");
    const made = await runCommand(interpreter.path, ["-I", "-m", "venv", buildDir]);
    if (made.exitCode !== 0)
      return { failure: `${interpreter.path} cannot make a venv: ${made.output.trim()}` };
    const failure = await installLocked(python, lockFile, buildDir, report);
    if (failure) return { failure };
    if (borrowedFrom) borrowPackages(buildDir, borrowedFrom);

    report("compiling");
    await compileAll(python, buildDir, venvDir);
    report("importing everything once");
    const missing = (await findMissing?.(python, buildDir)) ?? [];
    if (missing.length > 0) return { failure: `${missing.join(", ")} cannot be imported after installing` };

    replaceInScripts(buildDir, venvDir);
    writeJson(join(buildDir, MARKER), { python: interpreter.version, lock: basename(lockFile) });
    rmSync(venvDir, { recursive: true, force: true });
    renameSync(buildDir, venvDir);
    return {};
  } finally {
    rmSync(buildDir, { recursive: true, force: true });
  }
}

/** What runs that were killed left behind. @param {string} venvDir */
function removeLeftovers(venvDir) {
  const folder = dirname(venvDir);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const pid = /\.tmp-(\d+)$/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** @param {string} python @param {string} buildDir @param {string} venvDir */
async function compileAll(python, buildDir, venvDir) {
  const relocation = ["-s", buildDir, "-p", venvDir];
  await runCommand(python, ["-I", "-m", "compileall", "-q", "-j", "0", ...relocation, join(buildDir, "lib")]);
}

/** @param {string} buildDir @param {string} lender */
function borrowPackages(buildDir, lender) {
  const [version = ""] = readdirSync(join(buildDir, "lib"));
  const sitePackages = join("lib", version, "site-packages");
  writeFileSync(join(buildDir, sitePackages, "borrowed.pth"), `${join(lender, sitePackages)}\n`);
}

/** Scripts and the venv's own notes hold its absolute path. @param {string} buildDir @param {string} venvDir */
function replaceInScripts(buildDir, venvDir) {
  const scripts = readdirSync(join(buildDir, "bin")).map((name) => join(buildDir, "bin", name));
  for (const path of [...scripts, join(buildDir, "pyvenv.cfg")]) {
    if (!lstatSync(path).isFile()) continue;
    const text = readFileSync(path, "latin1");
    if (text.includes(buildDir)) writeFileSync(path, text.replaceAll(buildDir, venvDir), "latin1");
  }
}
