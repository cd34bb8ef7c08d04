import { AtollError } from "@atoll/sandbox";
import { damagedDatabase, isDamage } from "./damage/damaged-error.ts";

/** What the disk or the database said, in words for a user. An error of ours passes as it is. */
export function toStorageError(cause: unknown): AtollError {
  if (cause instanceof AtollError) return cause;
  if (isDiskFull(cause)) {
    return new AtollError("disk_full", "The server's disk is full. Make room, then try again.", {
      cause,
      isRetryable: true,
    });
  }
  if (isDamage(cause)) return damagedDatabase(cause);
  return new AtollError("internal", "The server could not store this. Its log says why.", { cause });
}

const SQLITE_FULL = 13;
const fullDisk = new Set(["ENOSPC", "EDQUOT"]);

function isDiskFull(cause: unknown): boolean {
  const { code, errcode } = (cause ?? {}) as { code?: unknown; errcode?: unknown };
  return errcode === SQLITE_FULL || (typeof code === "string" && fullDisk.has(code));
}
