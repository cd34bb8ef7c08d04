import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { adoptSandboxes } from "./adoption.ts";
import { Capacity, readAvailableBytes } from "./capacity.ts";
import { ThreadCheckpoints } from "./checkpoints/thread-checkpoints.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { Announcement, LifecycleContext } from "./context.ts";
import type { StateListener, ThreadSandboxes, ThreadSandboxesOptions } from "./contract.ts";
import { describeThread, listLive } from "./description.ts";
import { IdleTimers } from "./idle-timers.ts";
import { OWNER_LABEL, Ownership } from "./ownership.ts";
import {
  DEFAULT_CHECKPOINT_BYTES,
  DEFAULT_CHECKPOINT_TIMEOUT_MS,
  DEFAULT_ORPHAN_GRACE_MS,
  DEFAULT_POLICY,
  type LifecyclePolicy,
} from "./policy.ts";
import type { JobQueue } from "./queue/contract.ts";
import { createSqliteQueue } from "./queue/sqlite-queue.ts";
import { Suspender } from "./suspend.ts";
import { ThreadRegistry } from "./thread-sandbox.ts";
import { Waker } from "./wake.ts";

/**
 * Starts to manage the sandboxes of threads.
 *
 *     const sandboxes = createThreadSandboxes({ dataDir: "/var/lib/atoll", warmAfterMs: 60_000 });
 *     const { sandbox } = await sandboxes.wake("thread_1", {});
 */
export function createThreadSandboxes(options: ThreadSandboxesOptions): ThreadSandboxes {
  const { dataDir, runtime, owner = "atoll", orphanTimeoutMs, isKnown, onExpired, onStateChange } = options;
  const { clock = systemClock, availableBytes = readAvailableBytes, onProblem = () => {} } = options;
  const { isOwnedElsewhere, acquireLease, runtimeOf, network } = options;
  const { orphanGraceMs = DEFAULT_ORPHAN_GRACE_MS } = options;
  const listeners = new Set<StateListener>(onStateChange ? [onStateChange] : []);
  const announce = (threadId: string, change: Announcement) => {
    for (const listener of listeners) {
      // A listener that throws must not stop the change of state.
      try {
        listener(threadId, { restored: [], lost: [], isFresh: false, ...change });
      } catch (error) {
        onProblem(threadId, error);
      }
    }
  };
  const policy = choosePolicy(options);
  const queue = options.queue ?? openQueue(dataDir, clock, onProblem);
  const threads = new ThreadRegistry(clock);
  const timers = new IdleTimers({
    queue,
    threads,
    policy,
    clock,
    doThreadsExpire: onExpired !== undefined,
    isOwnedElsewhere,
    onProblem,
  });
  const capacity = new Capacity({
    threads,
    policy,
    clock,
    availableBytes,
    onProblem,
    pause: (threadId, reason) => suspender.pauseIfIdle(threadId, reason),
    evict: (threadId, reason) => suspender.evictIfIdle(threadId, reason),
  });
  threads.onIdle = () => capacity.checkHot();
  const shared = { dataDir, runtime, labels: { [OWNER_LABEL]: owner }, orphanTimeoutMs };
  const ownership = new Ownership({ shared, acquireLease, clock, runtimeOf, network });
  const context: LifecycleContext = { threads, ownership, timers, capacity, clock, announce };
  const suspender = new Suspender(context);
  const waker = new Waker(context, suspender);
  const checkpoints = new ThreadCheckpoints({
    folder: join(dataDir, "checkpoints"),
    budgetBytes: (threadId) =>
      options.checkpointBytesOf?.(threadId) ?? options.checkpointBytes ?? DEFAULT_CHECKPOINT_BYTES,
    snapshotTimeoutMs: options.checkpointTimeoutMs ?? DEFAULT_CHECKPOINT_TIMEOUT_MS,
    context,
    waker,
    suspender,
  });
  const remove = async (threadId: string, reason: "asked" | "orphaned") => {
    await suspender.remove(threadId, reason);
    await threads.run(threadId, () => checkpoints.remove(threadId));
  };
  timers.start({
    pause: async (threadId) => {
      const isPaused = await suspender.pauseIfIdle(threadId, "idle");
      if (isPaused) capacity.check();
      return isPaused;
    },
    evict: (threadId) => suspender.evictIfIdle(threadId, "idle"),
    expire: async (threadId) => onExpired?.(threadId),
    removeOrphan: async (threadId) => {
      if (isKnown && !(await isKnown(threadId))) await remove(threadId, "orphaned");
    },
  });

  return {
    wake: (threadId, wakeOptions) => waker.wake(threadId, wakeOptions),
    state: (threadId) => threads.get(threadId)?.state ?? "cold",
    describe: (threadId) => describeThread(threadId, threads, queue),
    list: () => listLive(threads, queue),
    keepAwake: (threadId) => threads.hold(threadId),
    updateNetwork: (threadId) => suspender.updateNetwork(threadId),
    hibernate: (threadId) => suspender.hibernate(threadId, "asked"),
    remove: (threadId) => remove(threadId, "asked"),
    release: (threadId) => suspender.release(threadId),
    checkpoint: (threadId, turnId) => checkpoints.record(threadId, turnId),
    hasNonPythonChanges: (threadId) => threads.live(threadId)?.hasNonPythonChanges ?? false,
    checkpoints: (threadId) => checkpoints.list(threadId),
    branch: (threadId, turnIds, newThreadId, wakeOptions) =>
      checkpoints.branch(threadId, turnIds, newThreadId, wakeOptions),
    async adopt({ isLiveOnly = false } = {}) {
      const runtimes = [runtime, ...(options.otherRuntimes ?? [])];
      const result = await adoptSandboxes({
        locations: runtimes.map((each) => ({ dataDir, runtime: each })),
        owner,
        isKnown,
        graceMs: orphanGraceMs,
        isLiveOnly,
        context,
        waker,
        remove,
        onProblem,
      });
      if (isKnown && !isLiveOnly) await checkpoints.removeOrphans(isKnown, clock.now() - orphanGraceMs);
      capacity.check();
      return result;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    rescheduleTimers() {
      for (const live of threads.allLive()) timers.scheduleLive(live);
    },
    jobs: () => queue.list(),
    reviveJob: (threadId, kind) => queue.revive(threadId, kind),
    async close() {
      await capacity.close();
      const hibernate = async ({ thread }: { thread: { id: string } }) =>
        suspender.hibernate(thread.id, "closing").catch((error: unknown) => onProblem(thread.id, error));
      await Promise.all(threads.allLive().map(hibernate));
      // Last, since each hibernation schedules the thread's expiry.
      await queue.close();
    },
  };
}

function choosePolicy(options: Partial<LifecyclePolicy>): LifecyclePolicy {
  const names = Object.keys(DEFAULT_POLICY) as (keyof LifecyclePolicy)[];
  const chosen = names.map((name) => [name, options[name] ?? DEFAULT_POLICY[name]]);
  return Object.fromEntries(chosen) as unknown as LifecyclePolicy;
}

function openQueue(
  dataDir: string,
  clock: Clock,
  onProblem: (threadId: string, error: unknown) => void,
): JobQueue {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = join(dataDir, "lifecycle.db");
  return createSqliteQueue({ database, clock, onProblem: (error) => onProblem("", error) });
}
