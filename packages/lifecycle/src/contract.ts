import type { CreateOptions, LostVariable, Sandbox } from "@atoll/sandbox";

/** The sandboxes of threads: each thread has at most one, woken by any use. */
export interface ThreadSandboxes {
  /** Makes, joins or restores the thread's sandbox. Callers at the same time share one wake. */
  wake(threadId: string, options: WakeOptions): Promise<Woken>;
  state(threadId: string): ThreadSandboxState;
  /** The sandbox, if it is hot; undefined otherwise. Does not count as use. */
  living(threadId: string): Sandbox | undefined;
  /** Does not rest, however long nothing is asked of it, until the returned function is called. */
  keepAwake(threadId: string): () => void;
  /** Variables to a snapshot, files kept, no process left. */
  rest(threadId: string): Promise<void>;
  /** With all its files. */
  remove(threadId: string): Promise<void>;
  /** Lets every thread rest. */
  close(): Promise<void>;
}

export type WakeOptions = Pick<CreateOptions, "datasets" | "env" | "limits">;

export interface Woken {
  readonly sandbox: Sandbox;
  readonly from: "new" | ThreadSandboxState;
  readonly wakeMs: number;
  /** The kernel has no variables of the thread: the tables have to be loaded. */
  readonly isFresh: boolean;
  readonly lost: readonly LostVariable[];
}

export type ThreadSandboxState = "hot" | "warm" | "cold";
