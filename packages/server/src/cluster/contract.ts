/** What one server at a time has: a thread with its log and sandbox, or a program's sandbox. */
export type LeaseKey = `thread:${string}` | `sandbox:${string}`;

/** A server as the others know it. */
export interface ServerRecord {
  /** New at every start. */
  readonly id: string;
  /** Where the other servers reach it. */
  readonly url: string;
  /** The machine's running system: servers with the same one reach each other's sandboxes. */
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
  /** Redis names a server that cannot show that it is one of this installation. */
  | { readonly kind: "unproven" }
  /** Redis has just come back without its memory: whoever has the lease is about to say so. */
  | { readonly kind: "settling"; readonly waitMs: number }
  /** Redis does not know this server (any more). */
  | { readonly kind: "unregistered" };

export interface ClusterTimes {
  /** A server that has not been heard of for this long is dead. */
  readonly ttlMs: number;
  /** How often a server says that it lives. */
  readonly beatMs: number;
  /** How long an emptied Redis gives the servers to say what they have. */
  readonly settleMs: number;
  /** A thread that nothing goes on in is given back after this time. */
  readonly idleMs: number;
  /**
   * A thread's sandbox that no server holds ends itself after this time: longer than the others need to notice that its
   * server died and to join it; and as short as another machine can wait, which makes it anew only then.
   */
  readonly orphanTimeoutMs: number;
}

/** What follows of how long a server may be silent. */
export function chooseTimes(leaseMs: number): ClusterTimes {
  return {
    ttlMs: leaseMs,
    beatMs: Math.round(leaseMs / 3),
    settleMs: Math.round(leaseMs / 5),
    idleMs: 300_000,
    orphanTimeoutMs: leaseMs * 3,
  };
}
