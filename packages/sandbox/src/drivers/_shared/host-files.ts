import { randomUUID } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Owner } from "./layout.ts";

/*
 * What the host does below a folder that a sandbox writes to. Any name there may be a link, or become one between two
 * calls: so nothing here follows a link, and nothing goes by a path of which a sandbox can change a part.
 */

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** Makes a folder, in the place of whatever else has this name, and gives it to its owner. Its parent must be safe. */
export async function makeOwnFolder(path: string, owner: Owner | undefined): Promise<void> {
  const facts = await lstat(path).catch(ignoreAbsent);
  if (facts && !facts.isDirectory()) await unlink(path);
  await mkdir(path, { mode: 0o755 }).catch(ignorePresent);
  if (!owner) return;
  await using folder = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  await folder.chown(owner.uid, owner.gid);
}

/** In whole or not at all. */
export async function replaceOwnFile(
  folder: string,
  name: string,
  text: string,
  owner: Owner | undefined,
): Promise<void> {
  await inFolder(folder, async (place) => {
    const path = join(place, name);
    await rm(`${path}.new`, { recursive: true, force: true });
    {
      await using file = await open(`${path}.new`, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      await file.writeFile(text);
      if (owner) await file.chown(owner.uid, owner.gid);
    }
    await rename(`${path}.new`, path);
  });
}

/** The beginning of a file, as text. Undefined when there is none, or something else. */
export async function readOwnFile(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    // A FIFO must not hold up who opens it.
    await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (!(await file.stat()).isFile()) return undefined;
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return undefined;
  }
}

/**
 * Removes a file, or a folder with all that is in it, while code in a sandbox may still change it. Folders that are
 * found inside are moved to the top first: no depth is too deep, and no path has a part that could become a link.
 */
export async function removeTree(path: string): Promise<void> {
  const facts = await lstat(path).catch(ignoreAbsent);
  if (!facts) return;
  if (!facts.isDirectory()) return unlink(path).catch(ignoreAbsent);
  if (process.platform !== "linux") return rm(path, { recursive: true, force: true, maxRetries: 3 });
  await inFolder(path, emptyTop);
  await rmdir(path);
}

/** Something inside keeps putting things there. */
const maxSurprises = 1000;

async function emptyTop(top: string): Promise<void> {
  const prefix = randomUUID();
  let [moved, surprises] = [0, 0];
  const moveUp = (from: string) => rename(from, join(top, `${prefix}-${moved++}`));
  for (let entries = await list(top); entries.length > 0; entries = await list(top))
    for (const entry of entries)
      await removeEntry(top, entry, moveUp).catch((error: NodeJS.ErrnoException) => {
        surprises += 1;
        if (!changedMeanwhile.includes(error.code ?? "") || surprises > maxSurprises) throw error;
      });
}

/** It is another kind of thing than a moment ago, gone, or not empty any more. */
const changedMeanwhile = ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENOTEMPTY"];

async function removeEntry(
  folder: string,
  entry: Dirent,
  moveUp: (from: string) => Promise<void>,
): Promise<void> {
  const path = join(folder, entry.name);
  if (!entry.isDirectory()) return unlink(path);
  await inFolder(path, async (place) => {
    for (const inner of await list(place)) {
      if (inner.isDirectory()) await moveUp(join(place, inner.name));
      else await unlink(join(place, inner.name));
    }
  });
  await rmdir(path);
}

function list(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true });
}

/** Gives a path to this very folder, whatever becomes of its name. Fails with `ENOTDIR` where it is a link. */
async function inFolder<Result>(path: string, use: (place: string) => Promise<Result>): Promise<Result> {
  if (process.platform !== "linux") return use(path);
  await using folder: FileHandle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  return await use(`/proc/self/fd/${folder.fd}`);
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

function ignorePresent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EEXIST") throw error;
}
