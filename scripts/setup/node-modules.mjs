import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./stamp.mjs";

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] } & Record<string, any>} LockEntry
 */

/**
 * Whether node_modules holds all that the lock names, and the lock all that the package.json files ask
 * for. npm writes its list of what is installed only at the end of an install that succeeded.
 * @param {string} root
 */
export function isTreeComplete(root) {
  const locked = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(join(root, "node_modules/.package-lock.json"));
  const isInstalled = Object.entries(locked)
    .filter(([path, { link, optional }]) => path.startsWith("node_modules/") && !link && !optional)
    .every(([path, { version }]) => installed[path]?.version === version);
  return isInstalled && listManifests(root).every((folder) => isManifestLocked(root, folder, locked[folder]));
}

/** Top-level packages of the lock that belong on this platform. @param {string} root */
export function countLocked(root) {
  return Object.entries(readPackages(join(root, "package-lock.json"))).filter(
    ([path, { link, optional, os, cpu, libc }]) =>
      path.lastIndexOf("node_modules/") === 0 &&
      !link &&
      (!optional || os !== undefined) &&
      (os?.includes(process.platform) ?? true) &&
      (cpu?.includes(process.arch) ?? true) &&
      !libc?.includes("musl"),
  ).length;
}

/** @param {string} root */
export function countInstalled(root) {
  const modulesDir = join(root, "node_modules");
  if (!existsSync(modulesDir)) return 0;
  return readdirSync(modulesDir)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) => (name.startsWith("@") ? readdirSync(join(modulesDir, name)) : [name])).length;
}

/** The folders with a package.json of ours: the root, as "", and the workspaces. @param {string} root */
export function listManifests(root) {
  const packagesDir = join(root, "packages");
  const names = existsSync(packagesDir) ? readdirSync(packagesDir).toSorted() : [];
  return ["", ...names.map((name) => `packages/${name}`)].filter((folder) =>
    existsSync(join(root, folder, "package.json")),
  );
}

/** @param {string} root @param {string} folder @param {LockEntry | undefined} entry */
function isManifestLocked(root, folder, entry) {
  const manifest = readJson(join(root, folder, "package.json"));
  const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  return kinds.every((kind) => sortedJson(manifest?.[kind]) === sortedJson(entry?.[kind]));
}

/** @param {Record<string, string> | undefined} dependencies */
function sortedJson(dependencies = {}) {
  return JSON.stringify(Object.entries(dependencies).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} path @returns {Record<string, LockEntry>} */
function readPackages(path) {
  return readJson(path)?.["packages"] ?? {};
}
