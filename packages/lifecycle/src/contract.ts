import type { CreateOptions, Limits, LostVariable, Metrics, Sandbox, TreeRefusal } from "@atoll/sandbox";
import type { Checkpoint } from "./checkpoints/contract.ts";
import type { JobKind, JobListing } from "./queue/contract.ts";

/** The sandboxes of threads: each thread has at most one, woken by any use. */
export interface ThreadSandboxes {
  /** Makes, joins or restores the thread's sandbox. Callers at the same time share one wake. */
  wake(threadId: string, options: WakeOptions): Promise<Woken>;
  state(threadId: string): ThreadSandboxState;
  /** For a status page. Neither wakes nor counts as use. */
  describe(threadId: string): Promise<ThreadSandboxDescription>;
  /** Those that are hot or warm, for operators. */
  list(): Promise<readonly LivingSandbox[]>;
  /** The sandbox, if it is hot; undefined otherwise. Does not count as use. */
  living(threadId: string): Sandbox | undefined;
  /**
   * Does not rest, however long nothing is asked of it, until the returned function is called. For whoever watches it
   * without asking anything: an open preview, a terminal, a stream of its files.
   */
  keepAwake(threadId: string): () => void;
  /** The thread's network policy has changed: a sandbox that lives goes on under the new one. */
  renewNetwork(threadId: string): Promise<void>;
  /** Variables to a snapshot, files kept, no process left. */
  rest(threadId: string): Promise<void>;
  /** With all its files and checkpoints. */
  remove(threadId: string): Promise<void>;
  /** Another server has the thread from here on: what lives goes on living, for that one to join. */
  letGo(threadId: string): Promise<void>;
  /**
   * Records files and variables as they are at the end of a turn. Begins at once, and holds up what would change them
   * until it is done; reading goes on. A turn in which nothing was done costs no look at the sandbox at all.
   */
  checkpoint(threadId: string, turnId: string): Promise<Checkpoint>;
  /** Since its latest checkpoint, something other than Python has changed it: a file was written, a command ran. */
  isTouched(threadId: string): boolean;
  /** The oldest first. Old ones are thinned out. */
  checkpoints(threadId: string): Promise<readonly Checkpoint[]>;
  /**
   * A new thread's sandbox with files and variables as they were at the end of the first of these turns that there is a
   * checkpoint of. It gets that checkpoint and those before it, so that it can be branched again.
   */
  branch(
    threadId: string,
    turnIds: readonly string[],
    newThreadId: string,
    options: WakeOptions,
  ): Promise<Branched>;
  /**
   * At the start, and when another server has died: joins the living sandboxes of a server that ended, and removes those
   * of no thread. `isLivingOnly`: looks at no others.
   */
  adopt(options?: { isLivingOnly?: boolean }): Promise<Adopted>;
  /** Calls back at every change of state, before whoever waits for it goes on. The returned function ends that. */
  subscribe(listener: StateListener): () => void;
  /** For a queue that may have lost its jobs: those of the sandboxes that live are put in again. */
  renewAlarms(): void;
  /** For operators: what is going to happen, and what failed for good. */
  jobs(): Promise<readonly JobListing[]>;
  /** Gives a job that failed for good all its tries again. False when there is none. */
  reviveJob(threadId: string, kind: JobKind): Promise<boolean>;
  /** Lets every thread rest. */
  close(): Promise<void>;
}

export type WakeOptions = Pick<CreateOptions, "datasets" | "env" | "limits">;

export interface Woken {
  /** Stays good: should the sandbox rest, the next call wakes it again. */
  readonly sandbox: Sandbox;
  readonly from: "new" | ThreadSandboxState;
  readonly wakeMs: number;
  /** The kernel has no variables of the thread: the tables have to be loaded. */
  readonly isFresh: boolean;
  /** From cold: the variables that are back. */
  readonly restored?: readonly string[];
  readonly lost: readonly LostVariable[];
  /** The sandbox had ended by itself: the variables are as old as this, and what was done since is lost. */
  readonly variablesAt?: string;
}

/** `hot`: running. `warm`: frozen in memory. `cold`: files and a snapshot of the variables, no process; or nothing yet. */
export type ThreadSandboxState = "hot" | "warm" | "cold";

export type StateListener = (threadId: string, change: StateChange) => void;

export interface ThreadSandboxDescription {
  readonly state: ThreadSandboxState;
  /** Absent where no server has seen the change. */
  readonly since?: string;
  readonly lastUsedAt?: string;
  /** What a wake is going to cost, from the wakes that were measured. Absent: none was yet. */
  readonly wakeEstimate?: WakeEstimate;
  /** Of a warm one: as it was when it was frozen. */
  readonly metrics?: Metrics;
  /** Those it runs with, or would be made with. */
  readonly limits: Limits;
}

export interface LivingSandbox extends ThreadSandboxDescription {
  readonly threadId: string;
  /** A call is under way, or somebody holds it. */
  readonly isInUse: boolean;
}

export interface WakeEstimate {
  readonly ms: number;
  /** This thread's own last wake, or the median of the latest wakes of any thread. */
  readonly basis: "own" | "others";
}

export interface StateChange {
  readonly from: "new" | ThreadSandboxState;
  readonly to: ThreadSandboxState | "removed";
  readonly reason: StateChangeReason;
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  /** As in `Woken`. */
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

export interface Branched extends Omit<Woken, "variablesAt"> {
  /** Whose state it is. */
  readonly turnId: string;
  /** When the state that was brought back was recorded. */
  readonly takenAt: string;
  readonly isExact: boolean;
  readonly missingFiles: readonly TreeRefusal[];
}

export interface Adopted {
  readonly joined: readonly string[];
  readonly removed: readonly string[];
  /** Of no thread, but too young to be removed: looked at again when they are not. */
  readonly spared: readonly string[];
}
