import type { CallOptions } from "../../contract/call.ts";
import type { Socket } from "node:net";
import type { GuestCall, Reply } from "./connection.ts";
import type { Limits } from "../../contract/limits.ts";

/** What the namespaces of a sandbox need of the guest behind it. */
export interface Guest {
  readonly limits: Limits;
  call<Result>(method: string, params?: Record<string, unknown>, options?: GuestCall): Promise<Reply<Result>>;
  /** A further connection, for a stream that must not hold up other calls. */
  dial(): Promise<GuestLink>;
  /** The folder on this host for copies of what runs make; nothing inside can see it. */
  readonly copies: string;
}

/** Calls to a guest, be it over a stream or to a part of it in this process. */
export interface GuestLink {
  readonly isClosed: boolean;
  readonly closed: Promise<void>;
  call<Result>(method: string, params?: Record<string, unknown>, options?: GuestCall): Promise<Reply<Result>>;
  /** A call that turns the link into plain bytes. */
  callForStream(method: string, params: Record<string, unknown>, options?: GuestCall): Promise<Socket>;
  /** Holds up events that come faster than they are used. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** How long a call other than a run may take when it names no time. */
export const defaultCallTimeoutMs = 60_000;

/** The caller's options, with that time where they name none. */
export function withTimeout(options: CallOptions = {}): CallOptions {
  return { timeoutMs: defaultCallTimeoutMs, ...options };
}
