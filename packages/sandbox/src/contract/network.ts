import type { Duplex } from "node:stream";

/**
 * What a sandbox may reach. `{ allow }` lists hosts: `example.com`, `*.example.com` for all below it, with `:port` for
 * another port than 80 and 443. `all-public`: every host with a public address. Nothing else is ever reachable: no
 * loopback, private, link-local or metadata address, unless the operator has named it in `EgressOptions.addresses`.
 */
export type NetworkPolicy = "none" | "all-public" | { readonly allow: readonly string[] };

export type NetworkKind = "none" | "allow" | "all-public";

/** The host's part of it: never seen inside a sandbox, and not kept with it. */
export interface EgressOptions {
  /** Put into requests by the proxy. Code inside asks for `http://host/…`; the proxy speaks TLS to the host. */
  readonly credentials?: readonly Credential[];
  /** Names of this installation's own, e.g. a package mirror: host → `http://10.0.0.5:8080` or `https://10.0.0.5`. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Hosts that are no address but streams of the caller's own. They are reachable whatever the policy, on every port. */
  readonly services?: Readonly<Record<string, (port: number) => Promise<Duplex>>>;
  /** For programs inside, which see it: e.g. `PIP_INDEX_URL` of a mirror. */
  readonly env?: Readonly<Record<string, string>>;
  /** At the same time. Default: 64. */
  readonly maxConnections?: number;
  /** Default: 600. */
  readonly maxRequestsPerMinute?: number;
  /** Both ways, over the life of the handle. Default: 4 GiB. */
  readonly maxBytes?: number;
  readonly onTraffic?: (traffic: Traffic) => void;
}

export interface Credential {
  readonly host: string;
  /** Default: `authorization`. */
  readonly header?: string;
  readonly value: string;
}

/** One request or tunnel, told when it has ended. */
export interface Traffic {
  readonly at: string;
  readonly method: string;
  readonly host: string;
  readonly port: number;
  readonly outcome: "allowed" | "refused" | "failed";
  /** Why it was refused or failed. */
  readonly reason?: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly durationMs: number;
}
