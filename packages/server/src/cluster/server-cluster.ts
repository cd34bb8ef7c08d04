import type { ThreadSandboxes } from "@atoll/lifecycle";
import type { ApiSandboxes } from "../api-sandboxes/api-sandboxes.ts";
import type { Runner } from "../threads/contract.ts";
import type { Store } from "../store/contract.ts";
import { Cluster, type ClusterOptions } from "./cluster.ts";
import type { LeaseHooks } from "./leases.ts";

export interface ServerParts {
  readonly runner: Pick<Runner, "recover" | "isIdle" | "letGo">;
  readonly sandboxes: Pick<ThreadSandboxes, "state" | "release" | "adopt">;
  readonly apiSandboxes: Pick<ApiSandboxes, "isKnown" | "isHeld" | "letGo" | "adopt">;
}

/** The cluster of a server. `parts` are created after it, so it asks for them when it needs them. */
export function createServerCluster(
  options: Omit<ClusterOptions, "hooks" | "adopt" | "ownership" | "secret"> & {
    readonly store: Pick<Store, "ownership" | "log" | "secret">;
    readonly parts: () => ServerParts;
  },
): Cluster {
  const { store, parts, ...rest } = options;
  return new Cluster({
    ...rest,
    secret: store.secret,
    ownership: store.ownership,
    hooks: { thread: threadHooks(store, parts), sandbox: sandboxHooks(parts) },
    async adopt() {
      const { sandboxes, apiSandboxes } = parts();
      await Promise.all([sandboxes.adopt({ isLiveOnly: true }), apiSandboxes.adopt()]);
    },
  });
}

function threadHooks(
  { ownership, log }: Pick<Store, "ownership" | "log">,
  parts: () => ServerParts,
): LeaseHooks {
  return {
    async onAcquire(threadId) {
      if (!(await ownership.takeOver(threadId))) return false;
      await parts().runner.recover(threadId);
      return true;
    },
    async onRelease(threadId) {
      const { runner, sandboxes } = parts();
      await Promise.all([runner.letGo(threadId), sandboxes.release(threadId)]);
      await ownership.letGo(threadId);
    },
    isIdle(threadId) {
      const { runner, sandboxes } = parts();
      return runner.isIdle(threadId) && !log.hasFollowers(threadId) && sandboxes.state(threadId) === "cold";
    },
  };
}

function sandboxHooks(parts: () => ServerParts): LeaseHooks {
  return {
    onAcquire: (id) => parts().apiSandboxes.isKnown(id),
    onRelease: (id) => parts().apiSandboxes.letGo(id),
    isIdle: (id) => !parts().apiSandboxes.isHeld(id),
  };
}
