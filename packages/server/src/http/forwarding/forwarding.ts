import type { Cluster } from "../../cluster/cluster.ts";
import type { Directory } from "../../cluster/directory.ts";
import { Forwarder } from "./forwarder.ts";
import { Signatures } from "./signature.ts";

/** How requests reach the server that owns their thread or sandbox. */
export interface Forwarding {
  readonly directory: Directory;
  readonly forwarder: Forwarder;
  readonly signatures: Signatures;
}

/** Added to the lease's TTL, within which a dead server is noticed. */
const EXTRA_PATIENCE_MS = 10_000;
const CLIENT_IDLE_MS = 30_000;

/** `secret` is shared by all servers of the installation: it proves that a request comes from one of them. */
export function createForwarding(
  cluster: Pick<Cluster, "directory" | "self">,
  options: { readonly secret: Uint8Array; readonly leaseTtlMs: number },
): Forwarding {
  const { directory } = cluster;
  const self = () => cluster.self;
  const signatures = new Signatures({ secret: options.secret, self });
  const forwarder = new Forwarder({
    directory,
    self,
    signatures,
    patienceMs: options.leaseTtlMs + EXTRA_PATIENCE_MS,
    idleMs: CLIENT_IDLE_MS,
  });
  return { directory, forwarder, signatures };
}
