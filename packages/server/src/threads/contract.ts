import type { AskedCall } from "@atoll/toolkit";
import type { StoredEvent } from "@atoll/protocol";
import type { LostVariable, Sandbox } from "@atoll/sandbox";
import type { CodeLanguage } from "./messages.ts";

/** Answers the messages of every thread, one at a time in each. */
export interface Runner {
  /** Stores the message durably, then queues it (or lets it steer the run under way). */
  submit(threadId: string, message: NewMessage): Promise<Submitted>;
  /** Ends the run under way and drops nothing: queued messages follow. False when nothing ran. */
  stop(threadId: string, options?: { reason?: string }): Promise<boolean>;
  /** Takes back a message that no run has started with. */
  withdraw(threadId: string, messageId: string): Promise<boolean>;
  /**
   * Decides a call that waits for a user. False when it is not open: unknown, already decided, or its run has ended.
   * Rejects with `invalid_argument` when the arguments do not fit the tool; then it still waits.
   */
  decide(threadId: string, approvalId: string, decision: Decision): Promise<boolean>;
  /** The rules of the thread have changed: decides the open approvals that they cover now. */
  reconsider(threadId: string): void;
  /**
   * Resolves with the `done` event of the run that answers this message. Rejects with `aborted` when the message was
   * taken back, the signal aborts or the server closes, and with `not_found` when the thread is removed.
   */
  waitForDone(
    threadId: string,
    messageId: string,
    signal: AbortSignal,
  ): Promise<StoredEvent & { type: "done" }>;
  activity(threadId: string): {
    runId?: string;
    messageId?: string;
    queued: readonly string[];
    approvals: readonly OpenApproval[];
  };
  /**
   * Makes the sandbox and reads the files, as a new thread needs it, or one with new files; the log gets a `data` event.
   * Resolves with how long the sandbox took. Never rejects: a failure is an `error` event of the thread, and undefined.
   */
  prepare(threadId: string): Promise<{ readonly wakeMs: number } | undefined>;
  /** Whether the latest `data` event describes the files that the thread has now. */
  hasReadFiles(threadId: string): Promise<boolean>;
  /**
   * The thread's sandbox as a run would find it, files shown and tables loaded, for a use outside of a run (the file
   * routes). Counts as use.
   */
  openSandbox(threadId: string): Promise<Sandbox>;
  /** Ends running code, drops all variables, keeps files and loads the tables again. */
  restartKernel(threadId: string): Promise<void>;
  /** Like Ctrl-C. False when nothing runs. */
  interruptKernel(threadId: string): Promise<boolean>;
  /**
   * A new thread that begins with this one's log, files and variables as they were when the answer to a message had
   * ended; `isBefore`: when its turn began. May be asked for while another message is being answered.
   */
  branch(threadId: string, options: BranchOptions): Promise<BranchedThread>;
  /** Puts the sandbox to rest, with all that runs in it. Fails with `busy` while a message is being answered. */
  rest(threadId: string): Promise<void>;
  /**
   * Moves a thread to the trash (`isFinal`: removes it) if it was unused for this long by the clock that threads age by,
   * and has no reader. Otherwise says when to look again.
   */
  expire(
    threadId: string,
    unusedMs: number,
    options?: { isFinal?: boolean },
  ): Promise<{ readonly againAtMs: number } | void>;
  /** Removes the thread with its run, queue, sandbox, files and log. False when there was none. */
  remove(threadId: string): Promise<boolean>;
  /** Ends its run, queue and sandbox; everything else is kept for `restore`. False when there was none. */
  trash(threadId: string): Promise<boolean>;
  /** Takes a thread out of the trash as it was. False when it is not there. */
  restore(threadId: string): Promise<boolean>;
  /** Removes a thread in the trash with all it has. False when it is not there. */
  purge(threadId: string): Promise<boolean>;
  /**
   * In all threads or in one: closes what a dead server left running, continues runs that waited for a user, then answers
   * the waiting messages.
   */
  recover(threadId?: string): Promise<void>;
  /** Nothing runs, waits or is being prepared in this thread. */
  isIdle(threadId: string): boolean;
  /** Another server owns the thread from here on: its run is cut off, and nothing more is written. */
  letGo(threadId: string): Promise<void>;
  /** Stops every run with a clear event; those that wait for a user are left to wait for the next server. */
  close(): Promise<void>;
}

export interface Decision {
  readonly decision: "allow" | "deny";
  readonly reason?: string;
  /** Decides the same from now on for this call, or for every call of the tool by this agent. */
  readonly remember?: "call" | "tool";
  /** Replaces the arguments of the call. */
  readonly input?: unknown;
}

/** A call that waits for a user. */
export interface OpenApproval extends AskedCall {
  readonly approvalId: string;
  /** ISO 8601, UTC. */
  readonly askedAt: string;
  /** When it is refused. */
  readonly expiresAt: string;
}

export interface NewMessage {
  readonly text: string;
  readonly mode?: "queue" | "steer";
  /** The text is code of this language, to be run as it is, in a turn of its own. */
  readonly language?: CodeLanguage;
}

export interface BranchOptions {
  readonly messageId: string;
  readonly isBefore?: boolean;
  readonly title?: string;
}

export interface BranchedThread {
  readonly threadId: string;
  /** Log, files and variables are those that were asked for, all of them. */
  readonly isExact: boolean;
  /** The turn that files and variables come from. Absent if no state was left or none was needed. */
  readonly stateOf?: { readonly messageId: string; readonly isBefore: boolean; readonly takenAt: string };
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly missingFiles: readonly { readonly path: string; readonly reason: string }[];
}

export interface Submitted {
  readonly messageId: string;
  /** Of the `message` event: a stream of what follows starts here. */
  readonly eventId: number;
  /** Messages before it. */
  readonly position: number;
}
