/** What one server at a time owns: a thread with its log and sandbox, or an API sandbox. */
export type LeaseKey = `thread:${string}` | `sandbox:${string}`;

/** A server as the other servers see it. */
export interface ServerRecord {
  /** New at every start. */
  readonly id: string;
  /** Where the other servers reach it. */
  readonly url: string;
  /** The running system: servers with the same one can attach to each other's sandboxes. */
  readonly machine: string;
  readonly startedAt: string;
}

export interface ListedServer extends ServerRecord {
  readonly isAlive: boolean;
  /** Leases by their kind. */
  readonly threads: number;
  readonly sandboxes: number;
}

export type Acquired =
  | { readonly kind: "mine" }
  | { readonly kind: "theirs"; readonly server: ServerRecord }
  /** Redis names a server that cannot prove that it belongs to this installation. */
  | { readonly kind: "unproven" }
  /** Redis has just come back empty: the holder of the lease is about to register it again. */
  | { readonly kind: "settling"; readonly waitMs: number }
  /** Redis does not know this server, or has forgotten it. */
  | { readonly kind: "unregistered" };

export interface ClusterTimes {
  /** A server without a heartbeat for this long is dead. */
  readonly ttlMs: number;
  /** Between two heartbeats. */
  readonly beatMs: number;
  /** How long an emptied Redis waits for the servers to register their leases again. */
  readonly settleMs: number;
  /** An idle thread is released after this time. */
  readonly idleMs: number;
  /**
   * A sandbox that no server is attached to ends itself after this time. Long enough for other servers to notice that its
   * owner died and to attach to it; short because another machine recreates it only after that.
   */
  readonly orphanTimeoutMs: number;
}

/** All times follow from how long a server may be silent. */
export function chooseTimes(leaseMs: number): ClusterTimes {
  return {
    ttlMs: leaseMs,
    beatMs: Math.round(leaseMs / 3),
    settleMs: Math.round(leaseMs / 5),
    idleMs: 300_000,
    orphanTimeoutMs: leaseMs * 3,
  };
}
