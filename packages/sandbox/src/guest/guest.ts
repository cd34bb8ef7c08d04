import type { CallOptions } from "../contract/call.ts";
import type { GuestCall, GuestConnection, Reply } from "./connection.ts";
import type { Limits } from "../contract/limits.ts";

/** What the namespaces of a sandbox need of the guest behind it. */
export interface Guest {
  readonly limits: Limits;
  call<Result>(method: string, params?: Record<string, unknown>, options?: GuestCall): Promise<Reply<Result>>;
  /** A further connection, for a stream that must not hold up other calls. */
  dial(): Promise<GuestConnection>;
  /** Where a path inside is on this host, for drivers whose files are here. */
  hostPath(inside: string): string | undefined;
}

/** How long a call other than a run may take when it names no time. */
export const defaultCallTimeoutMs = 60_000;

/** The caller's options, with that time where they name none. */
export function withTimeout(options: CallOptions = {}): CallOptions {
  return { timeoutMs: defaultCallTimeoutMs, ...options };
}
