import { RUNTIMES, Sandbox } from "@atoll/sandbox";
import type { ThreadStore } from "../store/contract.ts";

const heavyRuntimes = RUNTIMES.filter(({ isHeavy }) => isHeavy).map(({ name }) => name);

/** Which runtime threads have that asked for another than the server's. */
export interface ThreadRuntimes {
  readonly otherRuntimes: readonly string[];
  runtimeOf(threadId: string): Promise<string | undefined>;
}

/** `runtime`: the server's own. Where it is one of CPython's, heavy code runs in that. */
export function createThreadRuntimes(
  threads: Pick<ThreadStore, "get">,
  { dirOf, runtime }: { dirOf(threadId: string): string; runtime?: string },
): ThreadRuntimes {
  const routed = runtime !== undefined && heavyRuntimes.includes(runtime) ? `routed:${runtime}` : "routed";
  /** A thread that is gone, or not made yet, has no settings: what there is of it says. */
  const isRouted = async (threadId: string) =>
    (await Sandbox.list({ dataDir: dirOf(threadId), runtime: routed, ids: [threadId] })).length > 0;
  return {
    otherRuntimes: [routed],
    async runtimeOf(threadId) {
      const thread = threads.get(threadId);
      const isAuto = thread ? thread.settings.runtime === "auto" : await isRouted(threadId);
      return isAuto ? routed : undefined;
    },
  };
}
