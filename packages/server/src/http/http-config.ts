import type { BlockList } from "node:net";

/** What the HTTP surface needs to know. `Config` and `Secrets` together have it all; tests write their own. */
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
  /** Of a stream that has nothing to say. Default 10 s. */
  readonly heartbeatMs?: number;
  /** A client that neither sends nor reads for this long is given up. Default 30 s. */
  readonly idleMs?: number;
  /** How long a new thread waits for its files to be read. Default 5 s. */
  readonly profileWaitMs?: number;
  /** Where what nobody foresaw is written. Default: standard error. */
  readonly log?: (text: string) => void;
}
