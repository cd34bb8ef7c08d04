import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

const lookEveryMs = 25;
/** SQLite's word for a lock that another connection holds. */
const busy = 5;

/**
 * Lets one process at a time do something; the others wait for it. The lock is an open exclusive transaction on a
 * database of its own, in a folder that only its user may enter: the kernel frees it when its holder ends, however it
 * ends.
 */
export async function withStartLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  make(path);
  let release = tryLock(path);
  while (release === undefined) {
    await wait(lookEveryMs);
    release = tryLock(path);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** Never opens one that is there: to close it again would free this process's lock on it. */
function make(path: string): void {
  try {
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Undefined while another holds it. */
function tryLock(path: string): (() => void) | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return () => database.close();
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === busy;
}
