import { AtollError } from "@atoll/sandbox";
import { toStorageError } from "../storage-error.ts";

/** What Postgres or the way to it said, in words for a user. An error of ours passes as it is. */
export function toDatabaseError(cause: unknown): AtollError {
  if (cause instanceof AtollError) return cause;
  if (codeOf(cause) === diskFull) {
    return new AtollError("disk_full", "The disk of the database is full. Make room, then try again.", {
      cause,
      isRetryable: true,
    });
  }
  if (isUnwelcome(cause)) {
    const words = cause instanceof Error ? cause.message : "";
    return new AtollError("permission_denied", `The database refuses what DATABASE_URL says: ${words}.`, {
      cause,
    });
  }
  if (!isPassing(cause)) return toStorageError(cause);
  return new AtollError("unavailable", "The database (DATABASE_URL) cannot be reached, or is too slow.", {
    cause,
  });
}

/** Whether the same statement may succeed later, when the database is back or has less to do. */
export function isPassing(cause: unknown): boolean {
  if (cause instanceof AtollError) return cause.code === "unavailable";
  const code = codeOf(cause);
  if (!isSqlState(code)) return /^(CONNECT|E[A-Z]+$)/.test(code);
  return passingCodes.has(code) || passingClasses.has(code.slice(0, 2));
}

/**
 * Whether the database itself has refused the statement: then nothing of it is stored. One that is being shut down may
 * have stored it all the same, and an event that is there already tells of an earlier one that was.
 */
export function isRefused(cause: unknown): boolean {
  const code = codeOf(cause);
  return isSqlState(code) && !code.startsWith("57P") && code !== uniqueViolation;
}

const uniqueViolation = "23505";

const diskFull = "53100";

/** Serialization failure, deadlock, lock not available, statement cancelled by its time-out, read-only for now. */
const passingCodes = new Set(["40001", "40P01", "55P03", "57014", "25006"]);
/** No such user, wrong password, no such database, no right to use it. */
function isUnwelcome(cause: unknown): boolean {
  const code = codeOf(cause);
  return ["28000", "28P01", "3D000", "42501"].includes(code);
}

/** Connection exceptions, lack of resources, the operator's intervention. */
const passingClasses = new Set(["08", "53", "57"]);

function codeOf(cause: unknown): string {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** One has a digit; the operating system's names of the same length have none. */
function isSqlState(code: string): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code);
}
