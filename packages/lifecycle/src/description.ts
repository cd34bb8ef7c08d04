import type { ThreadSandboxDescription } from "./contract.ts";
import type { JobQueue } from "./queue/contract.ts";
import type { Parts } from "./parts.ts";

/** What is known of a thread's sandbox, without waking it. */
export async function describeThread(
  threadId: string,
  { residents, facts, costs }: Parts,
  queue: JobQueue,
): Promise<ThreadSandboxDescription> {
  const resident = residents.get(threadId);
  const state = resident?.state ?? "cold";
  const known = resident ?? facts.cold(threadId);
  const since = known ? toIso(known.sinceMs) : await findCold(threadId, queue);
  const wakeEstimate = costs.estimate(threadId, state);
  const metrics =
    state === "hot" ? await resident?.handle.metrics().catch(() => undefined) : resident?.metricsWhenFrozen;
  return {
    state,
    ...(since === undefined ? {} : { since }),
    ...(known === undefined ? {} : { lastUsedAt: toIso(known.lastUsedMs) }),
    ...(wakeEstimate === undefined ? {} : { wakeEstimate }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

/** An earlier server set its alarm when it became cold. */
async function findCold(threadId: string, queue: JobQueue): Promise<string | undefined> {
  const jobs = await queue.list({ sandboxId: threadId });
  return jobs.find(({ kind }) => kind === "delete")?.scheduledAt;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
