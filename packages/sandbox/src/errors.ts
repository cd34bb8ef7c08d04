import type { ErrorCode } from "@atoll/protocol";

/** Every failure of the platform. A failing run is a result instead (see `RunResult`). */
export class AtollError extends Error {
  override readonly name = "AtollError";
  readonly code: ErrorCode;
  /** The same call may succeed later without any change. */
  readonly isRetryable: boolean;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; isRetryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.isRetryable = options.isRetryable ?? retryableCodes.has(code);
  }
}

const retryableCodes = new Set<ErrorCode>(["busy", "timeout", "unavailable", "not_owner"]);
