import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Raise it when a change of these scripts makes what earlier ones set up unfit. */
const SETUP_VERSION = 1;

/**
 * A short digest of everything that decides a part's outcome: texts, and files by their content.
 * @param {{ texts?: (string | undefined)[], files?: string[] }} facts
 */
export function digestFacts({ texts = [], files = [] }) {
  const hash = createHash("sha256").update(`version ${SETUP_VERSION}\0`);
  for (const text of texts) hash.update(`${text ?? ""}\0`);
  for (const file of files) {
    hash.update(existsSync(file) ? readFileSync(file) : "absent").update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * What an earlier run noted of a part, if the facts it rested on are still the same.
 * @param {string} stateDir @param {string} part @param {string} digest
 * @returns {Record<string, any> | undefined}
 */
export function readStamp(stateDir, part, digest) {
  const stamp = readJson(stampPath(stateDir, part));
  return stamp?.["digest"] === digest ? stamp : undefined;
}

/** @param {string} stateDir @param {string} part @param {string} digest @param {Record<string, unknown>} [outcome] */
export function writeStamp(stateDir, part, digest, outcome = {}) {
  writeJson(stampPath(stateDir, part), { ...outcome, digest });
}

/** The parsed object, or undefined where the file is absent or torn. @param {string} path @returns {Record<string, any> | undefined} */
export function readJson(path) {
  try {
    const value = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed into place, so a reader never sees half a file. @param {string} path @param {unknown} value */
export function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(temporary, path);
}

/** @param {string} stateDir @param {string} part */
function stampPath(stateDir, part) {
  return join(stateDir, "setup", `${part}.json`);
}
