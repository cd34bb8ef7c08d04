import { defaultLimits } from "@atoll/sandbox";
import type { LiveSandboxDescription, ThreadSandboxDescription } from "./contract.ts";
import type { JobQueue } from "./queue/contract.ts";
import type { ThreadRegistry } from "./thread-sandbox.ts";

const METRICS_TIMEOUT_MS = 1000;
const MAX_CONCURRENT_DESCRIPTIONS = 32;

/** What is known about a thread's sandbox, without waking it. */
export async function describeThread(
  threadId: string,
  threads: ThreadRegistry,
  queue: JobQueue,
): Promise<ThreadSandboxDescription> {
  const before = threads.live(threadId);
  const hotMetrics =
    before?.state === "hot"
      ? await before.handle.metrics({ timeoutMs: METRICS_TIMEOUT_MS }).catch(() => undefined)
      : undefined;
  // It may have been paused or evicted meanwhile.
  const thread = threads.get(threadId);
  const live = thread?.live;
  const state = live?.state ?? "cold";
  const times = live ?? thread?.cold;
  return {
    state,
    limits: live?.handle.info.limits ?? { ...defaultLimits, ...thread?.wakeOptions?.limits },
    since: times ? toIso(times.sinceMs) : await findColdSince(threadId, queue),
    lastUsedAt: times && toIso(times.lastUsedMs),
    wakeEstimate: threads.estimateWake(threadId, state),
    metrics: state === "hot" ? hotMetrics : live?.metricsWhenPaused,
  };
}

/** Those longest in their state first. */
export async function listLive(
  threads: ThreadRegistry,
  queue: JobQueue,
): Promise<readonly LiveSandboxDescription[]> {
  const descriptions: LiveSandboxDescription[] = [];
  const pending = threads.allLive().map(({ thread }) => thread.id);
  const describeNext = async () => {
    for (let threadId = pending.pop(); threadId !== undefined; threadId = pending.pop()) {
      const description = await describeThread(threadId, threads, queue);
      const live = threads.live(threadId);
      if (live) descriptions.push({ ...description, threadId, isInUse: !live.isIdle });
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_DESCRIPTIONS }, describeNext));
  return descriptions.toSorted((one, other) => (one.since ?? "").localeCompare(other.since ?? ""));
}

/** An earlier server scheduled the thread's expiry when its sandbox became cold. */
async function findColdSince(threadId: string, queue: JobQueue): Promise<string | undefined> {
  // A queue outage must not fail the whole description.
  const jobs = await queue.list({ sandboxId: threadId }).catch(() => []);
  return jobs.find(({ kind }) => kind === "delete")?.scheduledAt;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
