import type { ThreadLease } from "@atoll/lifecycle";
import type { Cluster } from "../cluster/cluster.ts";
import { chooseTimes, type ClusterTimes } from "../cluster/contract.ts";
import { createServerCluster, type ServerParts } from "../cluster/server-cluster.ts";
import type { Config } from "../config/index.ts";
import { createForwarding, type Forwarding } from "../http/forwarding/forwarding.ts";
import { describeProblem } from "./redis.ts";
import type { Storage } from "./storage.ts";

/** This server among several. */
export interface ServerCluster {
  readonly cluster: Cluster;
  readonly forwarding: Forwarding;
  readonly times: ClusterTimes;
  readonly threadLeases: ResourceLeases;
  readonly sandboxLeases: ResourceLeases;
}

/** The leases of threads, or those of API sandboxes, by their ids. */
export interface ResourceLeases {
  claim(id: string, options?: { isNew?: boolean }): Promise<ThreadLease>;
  isElsewhere(id: string): Promise<boolean>;
  lose(id: string): Promise<void>;
  release(id: string): Promise<void>;
}

/** Undefined without a shared database: then there is one server, which owns everything. */
export function composeCluster(
  config: Config,
  { store, shared }: Storage,
  options: { readonly serverId: string; readonly parts: () => ServerParts },
): ServerCluster | undefined {
  if (!shared || config.databaseUrl === undefined) return undefined;
  const times = chooseTimes(config.leaseMs);
  const cluster = createServerCluster({
    ...options,
    redis: shared.redis,
    times,
    store,
    onProblem: (error) => console.error(`atoll: cluster: ${describeProblem(error)}`),
  });
  return {
    cluster,
    forwarding: createForwarding(cluster, { secret: store.secret, leaseTtlMs: times.ttlMs }),
    times,
    threadLeases: leasesOf(cluster, "thread"),
    sandboxLeases: leasesOf(cluster, "sandbox"),
  };
}

function leasesOf(cluster: Cluster, kind: "thread" | "sandbox"): ResourceLeases {
  return {
    claim: (id, options) => cluster.claim(`${kind}:${id}`, options),
    isElsewhere: (id) => cluster.isElsewhere(`${kind}:${id}`),
    lose: (id) => cluster.lose(`${kind}:${id}`),
    release: (id) => cluster.release(`${kind}:${id}`),
  };
}
