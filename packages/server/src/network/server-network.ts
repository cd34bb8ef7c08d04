import type { ThreadNetwork } from "@atoll/lifecycle";
import { AtollError } from "@atoll/sandbox";
import type { NetworkConfig } from "../config/network-config.ts";
import { EgressCounts } from "../metrics/egress-counts.ts";
import type { ApiSandboxNetwork } from "../api-sandboxes/api-sandboxes.ts";
import type { Store } from "../store/contract.ts";
import { Networks } from "./networks.ts";
import { RecentTraffic } from "./recent-traffic.ts";
import { TrafficLog } from "./traffic-log.ts";

/** The network of all sandboxes of a server: who may reach what, and where it is told. */
export interface ServerNetwork {
  readonly networks: Networks;
  readonly recentTraffic: RecentTraffic;
  readonly egressCounts: EgressCounts;
  ofThread(threadId: string): ThreadNetwork;
  readonly ofApiSandboxes: ApiSandboxNetwork;
  /** Tells what is held back, while there still is a log. */
  close(): void;
}

export function createServerNetwork(
  config: NetworkConfig,
  { log, threads }: Pick<Store, "log" | "threads">,
): ServerNetwork {
  const recentTraffic = new RecentTraffic();
  const egressCounts = new EgressCounts();
  const ofThreads = new TrafficLog({
    write: (threadId, event) => {
      log.append(threadId, [{ event }]).catch((error: unknown) => {
        // The thread is gone, or another server's.
        if (error instanceof AtollError && ["not_found", "not_owner"].includes(error.code)) return;
        console.error(`atoll: the traffic of thread ${threadId} could not be kept:`, error);
      });
    },
  });
  const ofApiSandboxes = new TrafficLog({ write: (id, event) => recentTraffic.add(id, event) });
  const networks = new Networks(config, (owner, traffic) => {
    egressCounts.note(traffic);
    if ("threadId" in owner) ofThreads.note(owner.threadId, traffic);
    else ofApiSandboxes.note(owner.sandboxId, traffic);
  });
  return {
    networks,
    recentTraffic,
    egressCounts,
    ofThread(threadId) {
      const thread = threads.get(threadId);
      const policy = thread ? networks.ofThread(thread.settings.network) : "none";
      return { policy, egress: networks.egress({ threadId }) };
    },
    ofApiSandboxes: {
      narrow: (policy) => networks.ofProgram(policy),
      egress: (sandboxId) => networks.egress({ sandboxId }),
    },
    close: () => ofThreads.flush(),
  };
}
