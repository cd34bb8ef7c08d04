import type { ApiErrorCode } from "@atoll/protocol";

/** A failure of a request that has words of its own. Everything else is put into words by `describeFailure`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly hint: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { hint?: string; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.headers = options.headers ?? {};
  }
}
