import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Of the user: what takes long to make or to fetch, and can be had again. */
export function cacheFolder(): string {
  const cacheHome = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(resolve(cacheHome), "atoll/pyodide");
}
