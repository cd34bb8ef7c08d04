import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { toStorageError } from "../storage-error.ts";

/** The old content or the new, never a part; readable only by the server's user. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const aside = `${path}.new`;
  try {
    rmSync(aside, { force: true });
    writeSynced(aside, content);
    renameSync(aside, path);
  } catch (cause) {
    rmSync(aside, { force: true });
    throw toStorageError(cause);
  }
}

/** Of all who make the same file at once, one does. False for the others: then it is there, in whole. */
export function createFileOnce(path: string, content: string | Uint8Array): boolean {
  const aside = `${path}.${randomUUID()}.new`;
  try {
    writeSynced(aside, content);
    linkOrWrite(aside, path, content);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw toStorageError(cause);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** A link appears with all its content. Not every file system has links. */
function linkOrWrite(aside: string, path: string, content: string | Uint8Array): void {
  try {
    linkSync(aside, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") throw cause;
    writeSynced(path, content);
  }
}

function writeSynced(path: string, content: string | Uint8Array): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
