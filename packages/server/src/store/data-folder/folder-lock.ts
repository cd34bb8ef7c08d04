import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AtollError } from "@atoll/sandbox";
import { isDamage } from "../damage/damaged-error.ts";

/**
 * One server at a time on a data folder. The lock is an open exclusive transaction on a database of its own: the
 * operating system frees it when the process ends, however it ends.
 */
export function takeOwnership(folder: string): () => void {
  const path = join(folder, "owner.lock");
  const noticePath = join(folder, "owner.pid");
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    database.close();
    if (isDamage(cause)) throw damagedLock(cause);
    throw new AtollError(
      "busy",
      `Another Atoll server${describeHolder(noticePath)} is using this data folder. ` +
        "Stop it, or set ATOLL_DATA_DIR to another folder.",
      { cause },
    );
  }
  writeFileSync(noticePath, `${process.pid}\n`, { mode: 0o600 });
  return () => {
    if (database.isOpen) database.close();
  };
}

function damagedLock(cause: unknown): AtollError {
  const text =
    "The server's lock file owner.lock is damaged. See that no server uses this data folder, then delete it.";
  return new AtollError("damaged", text, { cause });
}

/** For the message only: the lock itself does not depend on it. */
function describeHolder(noticePath: string): string {
  try {
    const pid = Number(readFileSync(noticePath, "utf8"));
    return Number.isInteger(pid) && pid > 0 ? ` (process ${pid})` : "";
  } catch {
    return "";
  }
}
