import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { adoptSandboxes } from "./adoption.ts";
import { Alarms } from "./idle-timers.ts";
import { Arrivals } from "./wake.ts";
import { type Claim, Claims, type ThreadNetwork } from "./ownership.ts";
import { Checkpointing } from "./checkpoints/thread-checkpoints.ts";
import { type Clock, systemClock } from "./clock.ts";
import type { StateChange, StateListener, ThreadSandboxes } from "./contract.ts";
import { Departures } from "./suspend.ts";
import { describeThread, listLiving } from "./description.ts";
import { readAvailableBytes } from "./host-memory.ts";
import { ownerLabel } from "./labels.ts";
import type { Announcement, Parts } from "./context.ts";
import { defaultPolicy, type LifecyclePolicy } from "./policy.ts";
import type { JobQueue } from "./queue/contract.ts";
import { createSqliteQueue } from "./queue/sqlite-queue.ts";
import { Relief } from "./capacity.ts";
import { Residents } from "./thread-sandbox.ts";
import { ThreadFacts } from "./thread-facts.ts";
import { KeyedMutex } from "@atoll/std";
import { WakeCosts } from "./wake-costs.ts";

export interface ThreadSandboxesOptions extends Partial<LifecyclePolicy> {
  dataDir: string;
  runtime?: string;
  /** Runtimes that some threads have instead. */
  otherRuntimes?: readonly string[];
  /** Which of them a thread has; undefined: `runtime`. Asked also about threads that are gone, to remove what is left. */
  runtimeOf?: (threadId: string) => Promise<string | undefined>;
  /** Names this installation, in the label of its sandboxes. Default: `atoll`. */
  owner?: string;
  /** Keeps the alarms; started and closed from here. Default: SQLite in the data folder. */
  queue?: JobQueue;
  /** For all checkpoints of a thread together. Default: 512 MiB. */
  checkpointBytes?: number;
  /** The same for one thread; undefined: as for all. */
  checkpointBytesOf?: (threadId: string) => number | undefined;
  /** Variables that take longer than this to save are left out of a checkpoint. Default: 10 s. */
  checkpointTimeoutMs?: number;
  /** Orphans younger than this are spared. Default: 10 minutes. */
  orphanGraceMs?: number;
  /** Whether the server has such a thread. Without it no orphan is ever removed. */
  isKnown?: (threadId: string) => boolean | Promise<boolean>;
  /** With several servers: whether another one has the thread's sandbox. */
  isHeldElsewhere?: (threadId: string) => Promise<boolean>;
  /** With several servers: makes the thread this server's, if it is nobody's. Rejects with `not_owner` when it is another's. */
  claim?: (threadId: string) => Promise<Claim>;
  /** Asked whenever a sandbox is made or joined, and at `renewNetwork`. Without it no thread has a network. */
  network?: (threadId: string) => ThreadNetwork;
  /**
   * Sandboxes end themselves when no server has held them for this long. With several servers on several machines it is
   * also how long a sandbox that a dead machine may still have is not made anew. Default: the driver's.
   */
  orphanTimeoutMs?: number;
  /**
   * The thread was not used for `deleteAfterMs`: it is the owner's to delete, or to say when to ask again. Without it
   * nothing expires.
   */
  onExpired?: (threadId: string) => Promise<{ againAtMs: number } | void>;
  onStateChange?: (threadId: string, change: StateChange) => void;
  /** What went wrong where nobody waits for an answer. */
  onProblem?: (threadId: string, error: unknown) => void;
  availableBytes?: () => Promise<number>;
  clock?: Clock;
}

const defaultCheckpointBytes = 512 * 1024 * 1024;
const defaultCheckpointTimeoutMs = 10_000;
const defaultGraceMs = 600_000;

export function createThreadSandboxes(options: ThreadSandboxesOptions): ThreadSandboxes {
  const { dataDir, runtime, owner = "atoll", isKnown, onExpired, onStateChange } = options;
  const { clock = systemClock, availableBytes = readAvailableBytes, onProblem = () => {} } = options;
  const listeners = new Set<StateListener>(onStateChange ? [onStateChange] : []);
  /** A listener that fails keeps no sandbox from its way. */
  const tell = (threadId: string, call: () => void) => {
    try {
      call();
    } catch (error) {
      onProblem(threadId, error);
    }
  };
  const policy = choosePolicy(options);
  const place = { dataDir, runtime };
  const queue = options.queue ?? openQueue(dataDir, clock, onProblem);
  const residents = new Residents(clock);
  const mutex = new KeyedMutex();
  const alarms = new Alarms({
    queue,
    residents,
    policy,
    clock,
    doThreadsExpire: onExpired !== undefined,
    isHeldElsewhere: options.isHeldElsewhere,
    onProblem,
  });
  const labels = { [ownerLabel]: owner };
  const { claim, orphanTimeoutMs } = options;
  const common = { ...place, labels, orphanTimeoutMs };
  const parts: Parts = {
    residents,
    facts: new ThreadFacts(),
    mutex,
    costs: new WakeCosts(),
    alarms,
    clock,
    claims: new Claims({ common, claim, clock, runtimeOf: options.runtimeOf, network: options.network }),
    announce: (threadId: string, change: Announcement) => {
      for (const listener of listeners)
        tell(threadId, () => listener(threadId, { restored: [], lost: [], isFresh: false, ...change }));
    },
    makeRoom: () => relief.makeRoom(),
    onMore: () => relief.request(),
  };
  const departures = new Departures(parts);
  const arrivals = new Arrivals(parts, departures);
  const relief = new Relief({
    residents,
    policy,
    clock,
    availableBytes,
    onProblem,
    pause: (threadId, reason) => departures.pauseIfIdle(threadId, reason),
    evict: (threadId, reason) => departures.evictIfIdle(threadId, reason),
  });
  residents.onIdle = () => {
    if (residents.count("hot") > policy.maxHot) relief.request();
  };
  const checkpointing = new Checkpointing({
    folder: join(dataDir, "checkpoints"),
    budgetBytes: (threadId) =>
      options.checkpointBytesOf?.(threadId) ?? options.checkpointBytes ?? defaultCheckpointBytes,
    snapshotTimeoutMs: options.checkpointTimeoutMs ?? defaultCheckpointTimeoutMs,
    parts,
    arrivals,
    departures,
  });
  const remove = async (threadId: string, reason: "asked" | "orphaned") => {
    await departures.remove(threadId, reason);
    await mutex.run(threadId, () => checkpointing.forget(threadId));
  };
  alarms.start({
    pause: async (threadId) => {
      const isPaused = await departures.pauseIfIdle(threadId, "idle");
      if (isPaused) relief.request();
      return isPaused;
    },
    evict: (threadId) => departures.evictIfIdle(threadId, "idle"),
    expire: async (threadId) => onExpired?.(threadId),
    endOrphan: async (threadId) => {
      if (isKnown && !(await isKnown(threadId))) await remove(threadId, "orphaned");
    },
  });

  return {
    wake: (threadId, given) => arrivals.wake(threadId, given),
    state: (threadId) => residents.get(threadId)?.state ?? "cold",
    describe: (threadId) => describeThread(threadId, parts, queue),
    list: () => listLiving(parts, queue),
    living(threadId) {
      const resident = residents.get(threadId);
      return resident?.state === "hot" ? resident.handle.restricted() : undefined;
    },
    keepAwake: (threadId) => residents.hold(threadId),
    renewNetwork: (threadId) => departures.renewNetwork(threadId),
    rest: (threadId) => departures.rest(threadId, "asked"),
    remove: (threadId) => remove(threadId, "asked"),
    letGo: (threadId) => departures.letGo(threadId),
    checkpoint: (threadId, turnId) => checkpointing.record(threadId, turnId),
    isTouched: (threadId) => residents.get(threadId)?.isTouched ?? false,
    checkpoints: (threadId) => checkpointing.list(threadId),
    branch: (threadId, turnIds, newThreadId, given) =>
      checkpointing.branch(threadId, turnIds, newThreadId, given),
    async adopt({ isLivingOnly = false } = {}) {
      const graceMs = options.orphanGraceMs ?? defaultGraceMs;
      const adopted = await adoptSandboxes({
        places: [place, ...(options.otherRuntimes ?? []).map((other) => ({ dataDir, runtime: other }))],
        owner,
        isKnown,
        graceMs,
        isLivingOnly,
        parts,
        arrivals,
        remove,
        onProblem,
      });
      if (isKnown && !isLivingOnly) await checkpointing.sweep(isKnown, clock.now() - graceMs);
      relief.request();
      return adopted;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    renewAlarms() {
      for (const id of residents.ids()) {
        const resident = residents.get(id);
        if (resident) alarms.setFor(resident);
      }
    },
    jobs: () => queue.list(),
    reviveJob: (threadId, kind) => queue.revive(threadId, kind),
    async close() {
      await relief.close();
      const restOrTell = (threadId: string) =>
        departures.rest(threadId, "closing").catch((error: unknown) => onProblem(threadId, error));
      await Promise.all(residents.ids().map(restOrTell));
      // Each that rests sets its next alarm.
      await queue.close();
    },
  };
}

function choosePolicy(options: Partial<LifecyclePolicy>): LifecyclePolicy {
  const names = Object.keys(defaultPolicy) as (keyof LifecyclePolicy)[];
  const chosen = names.map((name) => [name, options[name] ?? defaultPolicy[name]]);
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
