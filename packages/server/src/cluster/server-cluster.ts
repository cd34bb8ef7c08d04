import type { ThreadSandboxes } from "@atoll/lifecycle";
import type { ProgramSandboxes } from "../api-sandboxes/api-sandboxes.ts";
import type { Runner } from "../threads/contract.ts";
import type { Store } from "../store/contract.ts";
import { Cluster, type ClusterOptions } from "./cluster.ts";
import type { Holder } from "./leases.ts";

export interface ServerParts {
  readonly runner: Pick<Runner, "recover" | "isIdle" | "letGo">;
  readonly sandboxes: Pick<ThreadSandboxes, "state" | "letGo" | "adopt">;
  readonly programs: Pick<ProgramSandboxes, "isKnown" | "isHeld" | "letGo" | "adopt">;
}

/** The cluster over a server's parts, which are made with it: they are asked for when they are needed. */
export function createServerCluster(
  options: Omit<ClusterOptions, "holders" | "adopt" | "ownership" | "secret"> & {
    readonly store: Pick<Store, "ownership" | "log" | "secret">;
    readonly parts: () => ServerParts;
  },
): Cluster {
  const { store, parts, ...rest } = options;
  return new Cluster({
    ...rest,
    secret: store.secret,
    ownership: store.ownership,
    holders: { thread: holdThreads(store, parts), sandbox: holdSandboxes(parts) },
    async adopt() {
      const { sandboxes, programs } = parts();
      await Promise.all([sandboxes.adopt({ isLivingOnly: true }), programs.adopt()]);
    },
  });
}

function holdThreads({ ownership, log }: Pick<Store, "ownership" | "log">, parts: () => ServerParts): Holder {
  return {
    async take(threadId) {
      if (!(await ownership.takeOver(threadId))) return false;
      await parts().runner.recover(threadId);
      return true;
    },
    async letGo(threadId) {
      const { runner, sandboxes } = parts();
      await Promise.all([runner.letGo(threadId), sandboxes.letGo(threadId)]);
      await ownership.letGo(threadId);
    },
    isIdle(threadId) {
      const { runner, sandboxes } = parts();
      return runner.isIdle(threadId) && !log.hasFollowers(threadId) && sandboxes.state(threadId) === "cold";
    },
  };
}

function holdSandboxes(parts: () => ServerParts): Holder {
  return {
    take: (id) => parts().programs.isKnown(id),
    letGo: (id) => parts().programs.letGo(id),
    isIdle: (id) => !parts().programs.isHeld(id),
  };
}
