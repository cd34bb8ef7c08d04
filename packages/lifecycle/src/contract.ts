import type { CreateOptions, Limits, LostVariable, Metrics, Sandbox, TreeRefusal } from "@atoll/sandbox";
import type { Checkpoint } from "./checkpoints/contract.ts";
import type { Clock } from "./clock.ts";
import type { ThreadLease, ThreadNetwork } from "./ownership.ts";
import type { LifecyclePolicy } from "./policy.ts";
import type { JobKind, JobListing, JobQueue } from "./queue/contract.ts";

/** The sandboxes of threads: each thread has at most one, and any call wakes it. */
export interface ThreadSandboxes {
  /**
   * Creates the thread's sandbox, attaches to it or restores it. Concurrent callers share one wake.
   *
   *     const { sandbox, restored } = await sandboxes.wake(threadId, { env: { LANG: "C.UTF-8" } });
   */
  wake(threadId: string, options: WakeOptions): Promise<WakeResult>;
  state(threadId: string): ThreadSandboxState;
  /** For a status page. Neither wakes the sandbox nor counts as use. */
  describe(threadId: string): Promise<ThreadSandboxDescription>;
  /** The hot and warm sandboxes, for operators. */
  list(): Promise<readonly LiveSandboxDescription[]>;
  /**
   * Keeps the sandbox awake until the returned function is called. For users that watch it without calling it: an open
   * preview, a terminal, a stream of its files.
   */
  keepAwake(threadId: string): () => void;
  /** Call after the thread's network policy has changed: a live sandbox gets the new one. */
  updateNetwork(threadId: string): Promise<void>;
  /** Saves the variables to a snapshot, keeps the files and ends every process, even if the sandbox is busy. */
  hibernate(threadId: string): Promise<void>;
  /** Removes the sandbox with all its files and checkpoints. */
  remove(threadId: string): Promise<void>;
  /** Another server owns the thread from now on: a live sandbox keeps running for that server to attach to. */
  release(threadId: string): Promise<void>;
  /**
   * Records files and variables as they are at the end of a turn. Starts at once; calls that would change something wait
   * until it is done, calls that read do not. Does not look at the sandbox if nothing was done since the last one.
   */
  checkpoint(threadId: string, turnId: string): Promise<Checkpoint>;
  /** Since the latest checkpoint, something other than Python has changed it: a file was written, a command ran. */
  hasNonPythonChanges(threadId: string): boolean;
  /** The oldest first. Old checkpoints are pruned. */
  checkpoints(threadId: string): Promise<readonly Checkpoint[]>;
  /**
   * Creates the sandbox of a new thread with files and variables as they were at the end of the first of these turns
   * that has a checkpoint. The new thread gets that checkpoint and those before it, so that it can be branched too.
   */
  branch(
    threadId: string,
    turnIds: readonly string[],
    newThreadId: string,
    options: WakeOptions,
  ): Promise<BranchResult>;
  /**
   * Call at the start, and when another server has died: attaches to the sandboxes that the ended server left alive, and
   * removes those without a thread. `isLiveOnly`: skips sandboxes that are not alive.
   */
  adopt(options?: { isLiveOnly?: boolean }): Promise<AdoptionResult>;
  /** Calls back at every change of state, before its callers continue. The returned function unsubscribes. */
  subscribe(listener: StateListener): () => void;
  /** For a queue that may have lost its jobs: schedules those of the live sandboxes again. */
  rescheduleTimers(): void;
  /** For operators: the scheduled jobs and the dead letters. */
  jobs(): Promise<readonly JobListing[]>;
  /** Gives a dead letter all its tries again. False if there is none. */
  reviveJob(threadId: string, kind: JobKind): Promise<boolean>;
  /** Hibernates every thread. */
  close(): Promise<void>;
}

export interface ThreadSandboxesOptions extends Partial<LifecyclePolicy> {
  dataDir: string;
  runtime?: string;
  /** Further runtimes that threads may have. */
  otherRuntimes?: readonly string[];
  /** The runtime of a thread; undefined: `runtime`. Also called for threads that no longer exist, to remove their files. */
  runtimeOf?: (threadId: string) => Promise<string | undefined>;
  /** Names this installation in the label of its sandboxes. Default: `atoll`. */
  owner?: string;
  /** The queue of the idle timers, started and closed from here. Default: SQLite in the data folder. */
  queue?: JobQueue;
  /** For all checkpoints of a thread together. Default: 512 MiB. */
  checkpointBytes?: number;
  /** The same for one thread; undefined: `checkpointBytes`. */
  checkpointBytesOf?: (threadId: string) => number | undefined;
  /** Variables that take longer than this to save are left out of a checkpoint. Default: 10 s. */
  checkpointTimeoutMs?: number;
  /** Orphans younger than this are kept. Default: 10 minutes. */
  orphanGraceMs?: number;
  /** Whether the server has this thread. Without it orphans are never removed. */
  isKnown?: (threadId: string) => boolean | Promise<boolean>;
  /** With several servers: whether another one owns the thread. */
  isOwnedElsewhere?: (threadId: string) => Promise<boolean>;
  /** With several servers: makes this server the thread's owner. Rejects with `not_owner` if another server owns it. */
  acquireLease?: (threadId: string) => Promise<ThreadLease>;
  /** Called whenever a sandbox is created or attached to, and by `updateNetwork`. Without it no thread has a network. */
  network?: (threadId: string) => ThreadNetwork;
  /**
   * Sandboxes end themselves when no server has been attached for this long. With servers on several machines it is also
   * how long a sandbox that a dead machine may still run is not created again. Default: the driver's.
   */
  orphanTimeoutMs?: number;
  /**
   * The thread was not used for `deleteAfterMs`. The callee deletes it, or says when to ask again. Without it threads
   * never expire.
   */
  onExpired?: (threadId: string) => Promise<{ againAtMs: number } | void>;
  onStateChange?: (threadId: string, change: StateChange) => void;
  /** Gets the errors of background work. */
  onProblem?: (threadId: string, error: unknown) => void;
  availableBytes?: () => Promise<number>;
  clock?: Clock;
}

export type WakeOptions = Pick<CreateOptions, "datasets" | "env" | "limits">;

export interface WakeResult {
  /** Stays valid: if the sandbox is suspended, the next call wakes it again. */
  readonly sandbox: Sandbox;
  readonly from: "new" | ThreadSandboxState;
  readonly wakeMs: number;
  /** The kernel has no variables of the thread: the tables have to be loaded. */
  readonly isFresh: boolean;
  /** From cold: the variables that were restored. */
  readonly restored?: readonly string[];
  readonly lost: readonly LostVariable[];
  /** The sandbox had ended by itself: the variables are from this time, and later changes to them are lost. */
  readonly variablesAt?: string;
}

/** `hot`: running. `warm`: frozen in memory. `cold`: files and a snapshot of the variables, no process; or nothing yet. */
export type ThreadSandboxState = "hot" | "warm" | "cold";

export type StateListener = (threadId: string, change: StateChange) => void;

export interface ThreadSandboxDescription {
  readonly state: ThreadSandboxState;
  /** Undefined if no server saw the change. */
  readonly since?: string;
  readonly lastUsedAt?: string;
  /** The expected time of a wake, from measured wakes. Undefined if there were none yet. */
  readonly wakeEstimate?: WakeEstimate;
  /** Of a warm sandbox: when it was paused. */
  readonly metrics?: Metrics;
  /** Those it runs with, or would be created with. */
  readonly limits: Limits;
}

export interface LiveSandboxDescription extends ThreadSandboxDescription {
  readonly threadId: string;
  /** A call is in progress, or `keepAwake` holds it. */
  readonly isInUse: boolean;
}

export interface WakeEstimate {
  readonly ms: number;
  /** This thread's own last wake, or the median of recent wakes of any thread. */
  readonly basis: "own" | "others";
}

export interface StateChange {
  readonly from: "new" | ThreadSandboxState;
  readonly to: ThreadSandboxState | "removed";
  readonly reason: StateChangeReason;
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  /** As in `WakeResult`. */
  readonly isFresh: boolean;
  readonly variablesAt?: string;
  readonly wakeMs?: number;
}

export type StateChangeReason =
  | "used"
  | "idle"
  | "too_many_hot"
  | "too_many_warm"
  | "memory_short"
  | "asked"
  | "adopted"
  | "branched"
  | "orphaned"
  | "died"
  | "closing";

export interface BranchResult extends Omit<WakeResult, "variablesAt"> {
  /** The turn whose checkpoint was restored. */
  readonly turnId: string;
  /** When that checkpoint was taken. */
  readonly takenAt: string;
  readonly isExact: boolean;
  readonly missingFiles: readonly TreeRefusal[];
}

export interface AdoptionResult {
  readonly joined: readonly string[];
  readonly removed: readonly string[];
  /** Orphans that are too young to be removed: they are checked again later. */
  readonly spared: readonly string[];
}
