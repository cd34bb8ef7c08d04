import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Where things are: the checkout, its private folder `.atoll`, and the cache shared by all checkouts.
 * @typedef {object} Checkout
 * @property {string} root
 * @property {string} stateDir
 * @property {string} cacheDir
 * @property {string} debianPython  Debian's own Python, which alone sees Debian's Python packages.
 * @property {string} fontsDir  Where the system keeps fonts.
 * @property {boolean} isForced  Try again what an earlier run could not get.
 */

/**
 * @param {{ root?: string, debianPython?: string, fontsDir?: string, isForced?: boolean }} [options]
 * @returns {Checkout}
 */
export function describeCheckout({
  root = repositoryRoot,
  debianPython = "/usr/bin/python3",
  fontsDir = "/usr/share/fonts",
  isForced = false,
} = {}) {
  const cacheHome = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return {
    root,
    stateDir: join(root, ".atoll"),
    cacheDir: join(resolve(cacheHome), "atoll"),
    debianPython,
    fontsDir,
    isForced,
  };
}

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
