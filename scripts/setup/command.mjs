import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

/** A failure with a sentence for the reader; anything else that is thrown is a defect of these scripts. */
export class SetupError extends Error {}

/**
 * @typedef {object} CommandResult
 * @property {number} exitCode  127 when the program is not there
 * @property {boolean} wasKilled
 * @property {string} output    stdout and stderr together, the last 400 lines
 */

/**
 * Runs a program to its end without stdin; a non-zero exit is a result, not an exception.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, timeoutMs?: number, onLine?: (line: string) => void, onSpawn?: (pid: number) => void }} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(program, args, { cwd, env = {}, timeoutMs, onLine, onSpawn } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    if (child.pid) onSpawn?.(child.pid);
    const release = endWithParent(child);
    /** @type {string[]} */
    const lines = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        if (lines.length > 400) lines.shift();
        onLine?.(line);
      });
    }
    child.on("error", (error) => {
      release();
      resolve({ exitCode: 127, wasKilled: false, output: error.message });
    });
    child.on("close", (code) => {
      release();
      resolve({ exitCode: code ?? 1, wasKilled: code === null, output: lines.join("\n") });
    });
  });
}

/** The full path of a program on PATH. @param {string} program @param {string} [path] @returns {string | undefined} */
export function findProgram(program, path = process.env["PATH"] ?? "") {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

/** The last line of an output that says something: what a tool's failure comes down to. @param {string} output */
export function lastLine(output) {
  return output.trim().split("\n").pop()?.trim() ?? "";
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** A stop of set-up stops all it runs, so nothing goes on writing behind its back. */
function stopAll() {
  for (const child of running) child.kill("SIGTERM");
  process.exit(130);
}

/** @param {import("node:child_process").ChildProcess} child */
function endWithParent(child) {
  if (running.size === 0) STOP_SIGNALS.forEach((signal) => process.on(signal, stopAll));
  running.add(child);
  return () => {
    running.delete(child);
    if (running.size === 0) STOP_SIGNALS.forEach((signal) => process.off(signal, stopAll));
  };
}

/** @type {NodeJS.Signals[]} */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
