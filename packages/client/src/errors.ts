import type { ApiError } from "./generated.ts";

/** A request that the server refused or could not answer, in the server's own words. */
export class AtollApiError extends Error {
  override readonly name = "AtollApiError";
  readonly status: number;
  readonly code: ApiError["code"] | "unexpected_answer";
  /** What to do about it. */
  readonly hint: string;

  constructor(status: number, body: { code: AtollApiError["code"]; message: string; hint: string }) {
    super(body.message);
    this.status = status;
    this.code = body.code;
    this.hint = body.hint;
  }

  /** The same request may succeed later. */
  get isRetryable(): boolean {
    return this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export async function readError(response: Response): Promise<AtollApiError> {
  const text = await response.text().catch(() => "");
  try {
    const body = JSON.parse(text) as Partial<ApiError>;
    if (body.code && body.message)
      return new AtollApiError(response.status, { hint: "", ...body } as ApiError);
  } catch {
    // Not ours: a proxy's page, say.
  }
  return new AtollApiError(response.status, {
    code: "unexpected_answer",
    message: `the server answered ${response.status} without saying why`,
    hint: "Check that the address is that of an Atoll server.",
  });
}
