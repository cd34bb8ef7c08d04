import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { AtollError } from "../../../errors.ts";
import { digestGuest } from "../../_shared/guest-folder.ts";
import { findAssets } from "../distribution/assets.ts";
import { cacheFolder } from "../distribution/cache-folder.ts";
import { Child } from "./child.ts";

const keptMs = 7 * 24 * 3600 * 1000;

let made: Promise<string> | undefined;

/**
 * The memory of an interpreter that has started, with the guest imported: one that begins with it is there in a third
 * of the time. Made once for each version of all that is in it, and kept in the user's cache.
 */
export function findSnapshot(): Promise<string> {
  made ??= findOrMake();
  made.catch(() => (made = undefined));
  return made;
}

async function findOrMake(): Promise<string> {
  const folder = cacheFolder();
  const path = join(folder, `${await nameVersion()}.memory`);
  if (await isThere(path)) {
    await utimes(path, new Date(), new Date()).catch(() => undefined);
    return path;
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { child, snapshot } = await Child.start(undefined);
  await child.kill();
  if (!snapshot) throw new AtollError("internal", "the interpreter gave no memory to start others with");
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, snapshot, { mode: 0o600 });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  await forgetOld(folder);
  return path;
}

/** Those of versions that nobody has started for a while. */
async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (name.includes(".memory") && Date.now() - mtimeMs > keptMs) await rm(path, { force: true });
  }
}

async function nameVersion(): Promise<string> {
  const { pyodide, program, wheels } = findAssets();
  const hash = createHash("sha256").update(process.version);
  for (const { path } of wheels) hash.update(basename(path));
  hash.update(await readFile(join(pyodide, "package.json"), "utf8"));
  for (const name of ["interpreter.ts", "import-gate.ts", "sources.ts", "main.ts"])
    hash.update(await readFile(join(program, "..", name)));
  return digestGuest(hash);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}
