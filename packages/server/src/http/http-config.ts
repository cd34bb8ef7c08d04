import type { BlockList } from "node:net";

/** What the HTTP surface needs to know. `Config` has it all but the token and the signing key. */
export interface HttpConfig {
  readonly isLoopback: boolean;
  readonly dataDir: string;
  readonly token?: string | undefined;
  readonly signingKey: Uint8Array;
  readonly maxUploadBytes: number;
  readonly threadQuotaBytes: number;
  readonly maxInputChars: number;
  readonly rateLimit: { readonly windowMs: number; readonly max: number };
  readonly trustedProxies: BlockList;
  readonly version?: string;
  /** Between two heartbeats of an idle event stream. Default: `HEARTBEAT_MS`. */
  readonly heartbeatMs?: number;
  /** Disconnects a client that neither sends nor reads for this long. Default: 30 s. */
  readonly idleMs?: number;
  /** How long a new thread waits for its files to be read. Default: 5 s. */
  readonly profileWaitMs?: number;
  /** Logs unexpected failures. Default: standard error. */
  readonly log?: (text: string) => void;
}
