import type { AtollError } from "@atoll/sandbox";
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { inspect } from "node:util";
import type { ApiErrorCode, ErrorBody } from "@atoll/protocol";
import { ApiError } from "./api-error.ts";
import { failures } from "./statuses.ts";

export interface Failure {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** The only place where a failure becomes what a client sees. What nobody foresaw is logged under an id. */
export function describeFailure(
  error: unknown,
  options: { dataDir?: string; log?: (text: string) => void },
): Failure {
  if (error instanceof ApiError) return fail(error.code, error.message, error.hint, error.headers);
  if (isAtollError(error)) {
    const headers: Record<string, string> = passing.has(error.code) ? { "retry-after": "1" } : {};
    const failure = fail(error.code, hidePaths(error.message, options.dataDir), undefined, headers);
    if (error.code !== "internal") return failure;
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOSPC" || code === "EDQUOT") return fail("disk_full", "the disk of the server is full");
  if (isAbort(error)) return fail("aborted", "the request was given up");
  const id = randomBytes(6).toString("hex");
  options.log?.(`unexpected failure ${id}: ${inspect(error)}`);
  return fail("internal", `something unexpected happened; the server's log has it as ${id}`);
}

/** What is gone after a moment, without any change of the request. */
const passing = new Set<ApiErrorCode>(["unavailable", "not_owner"]);

function fail(
  code: ApiErrorCode,
  message: string,
  hint: string = failures[code].hint,
  headers: Readonly<Record<string, string>> = {},
): Failure {
  return { status: failures[code].status, body: { code, message, hint }, headers };
}

/** By shape, so that a second copy of the package is understood too. */
function isAtollError(error: unknown): error is AtollError {
  return (
    error instanceof Error && error.name === "AtollError" && String((error as AtollError).code) in failures
  );
}

function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return String(error) === "Client connection prematurely closed.";
  return (
    error.name === "AbortError" ||
    ["ECONNRESET", "ABORT_ERR", "ERR_STREAM_PREMATURE_CLOSE"].includes(
      String((error as NodeJS.ErrnoException).code),
    )
  );
}

/** No place of the host is shown to a client. */
export function hidePaths(message: string, dataDir?: string): string {
  const places = [dataDir, process.cwd(), homedir()].filter(
    (place): place is string => !!place && place.length > 1,
  );
  return places.reduce((text, place) => text.replaceAll(place, "(server)"), message);
}
