import { defaultLimits } from "@atoll/sandbox";
import type { LivingSandbox, ThreadSandboxDescription } from "./contract.ts";
import type { JobQueue } from "./queue/contract.ts";
import type { Parts } from "./context.ts";

const metricsTimeoutMs = 1000;
/** Sandboxes that are asked at the same time. */
const askedAtOnce = 32;

/** What is known of a thread's sandbox, without waking it. */
export async function describeThread(
  threadId: string,
  { residents, facts, costs }: Parts,
  queue: JobQueue,
): Promise<ThreadSandboxDescription> {
  const hot = residents.get(threadId);
  const measured =
    hot?.state === "hot"
      ? await hot.handle.metrics({ timeoutMs: metricsTimeoutMs }).catch(() => undefined)
      : undefined;
  // It may have been frozen meanwhile.
  const resident = residents.get(threadId);
  const state = resident?.state ?? "cold";
  const metrics = state === "hot" ? measured : resident?.metricsWhenFrozen;
  const known = resident ?? facts.cold(threadId);
  const since = known ? toIso(known.sinceMs) : await findCold(threadId, queue);
  const wakeEstimate = costs.estimate(threadId, state);
  return {
    state,
    limits: resident?.handle.info.limits ?? { ...defaultLimits, ...facts.given(threadId)?.limits },
    since,
    ...(known === undefined ? {} : { lastUsedAt: toIso(known.lastUsedMs) }),
    wakeEstimate,
    metrics,
  };
}

/** The longest in its state first. */
export async function listLiving(parts: Parts, queue: JobQueue): Promise<readonly LivingSandbox[]> {
  const { residents } = parts;
  const listed: LivingSandbox[] = [];
  const left = residents.ids();
  const ask = async () => {
    for (let threadId = left.pop(); threadId !== undefined; threadId = left.pop()) {
      const description = await describeThread(threadId, parts, queue);
      const resident = residents.get(threadId);
      if (resident) listed.push({ ...description, threadId, isInUse: !residents.isIdle(resident) });
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));
  return listed.toSorted((one, other) => (one.since ?? "").localeCompare(other.since ?? ""));
}

/** An earlier server set its alarm when it became cold. */
async function findCold(threadId: string, queue: JobQueue): Promise<string | undefined> {
  // A queue that is away keeps nobody from the rest.
  const jobs = await queue.list({ sandboxId: threadId }).catch(() => []);
  return jobs.find(({ kind }) => kind === "delete")?.scheduledAt;
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
