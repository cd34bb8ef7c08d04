import { readdirSync, realpathSync } from "node:fs";
import { delimiter } from "node:path";
import { findProgram, runCommand } from "../command.mjs";

const OLDEST_MINOR = 11;

/**
 * @typedef {object} Interpreter
 * @property {string} path      The real executable, not a shim and not a venv's link.
 * @property {string} version   As in "3.11.7".
 * @property {boolean} isFit    At least Python 3.11.
 * @property {boolean} hasVenv  Can make a venv with pip in it.
 */

/**
 * The Pythons of this machine in order of preference: ATOLL_PYTHON_BASE, python3 on PATH, Debian's own,
 * then any python3.N on PATH, newest first. Lazy, since asking one may take a tenth of a second.
 * @param {string} debianPython
 * @returns {AsyncGenerator<Interpreter>}
 */
export async function* findInterpreters(debianPython) {
  const seen = new Set();
  for (const candidate of listCandidates(debianPython)) {
    const interpreter = await inspectInterpreter(candidate);
    if (!interpreter || seen.has(interpreter.path)) continue;
    seen.add(interpreter.path);
    yield interpreter;
  }
}

/** @param {string} program @returns {Promise<Interpreter | undefined>} */
export async function inspectInterpreter(program) {
  const { exitCode, output } = await runCommand(program, ["-I", "-c", PROBE], { timeoutMs: 30_000 });
  const answer = output.split("\n").find((line) => line.startsWith("{"));
  if (exitCode !== 0 || !answer) return undefined;
  const { executable, version, hasVenv } = JSON.parse(answer);
  return {
    path: realpathSync(executable),
    version: version.join("."),
    isFit: version[0] === 3 && version[1] >= OLDEST_MINOR,
    hasVenv,
  };
}

const PROBE = `
import importlib.util, json, sys
print(json.dumps({
    "executable": getattr(sys, "_base_executable", None) or sys.executable,
    "version": list(sys.version_info[:3]),
    "hasVenv": all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")),
}))
`;

/** @param {string} debianPython */
function listCandidates(debianPython) {
  const numbered = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap(listFolder)
    .filter((name) => /^python3\.\d+$/.test(name))
    .toSorted((a, b) => minorOf(b) - minorOf(a));
  return [
    process.env["ATOLL_PYTHON_BASE"],
    findProgram("python3"),
    debianPython,
    ...[...new Set(numbered)].map((name) => findProgram(name)),
  ].flatMap((path) => path || []);
}

/** @param {string} name As in "python3.12". */
function minorOf(name) {
  return Number(name.slice("python3.".length));
}

/** @param {string} folder */
function listFolder(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
