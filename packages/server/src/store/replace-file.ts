import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { toStorageError } from "./storage-error.ts";

/** The old content or the new, never a part; readable only by the server's user. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const aside = `${path}.new`;
  try {
    rmSync(aside, { force: true });
    const file = openSync(aside, "wx", 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } catch (cause) {
    rmSync(aside, { force: true });
    throw toStorageError(cause);
  }
}
