import type { Sandbox } from "@atoll/sandbox";
import type { StoredEvent } from "../schemas/events.ts";

/** Answers the messages of every thread, one at a time in each. */
export interface Runner {
  /** Stores the message durably, then queues it (or lets it steer the run under way). */
  submit(threadId: string, message: NewMessage): Promise<Submitted>;
  /** Ends the run under way and drops nothing: queued messages follow. False when nothing ran. */
  stop(threadId: string, options?: { reason?: string }): Promise<boolean>;
  /** Takes back a message that no run has begun with. */
  withdraw(threadId: string, messageId: string): Promise<boolean>;
  decide(
    threadId: string,
    approvalId: string,
    decision: { decision: "allow" | "deny"; reason?: string },
  ): Promise<boolean>;
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
    approvals: readonly string[];
  };
  /**
   * Makes the sandbox and reads the files, as a new thread needs it, or one with new files; the log gets a `data` event.
   * Resolves with how long the sandbox took. Never rejects: a failure is an `error` event of the thread, and undefined.
   */
  prepare(threadId: string): Promise<{ readonly wakeMs: number } | undefined>;
  /**
   * The thread's sandbox as a run would find it, files shown and tables loaded, for a use outside of a run (the file
   * routes). Counts as use.
   */
  openSandbox(threadId: string): Promise<Sandbox>;
  /** The thread with all it has: run, queue, sandbox, files, log. False when there was none. */
  remove(threadId: string): Promise<boolean>;
  /** Closes what a dead server left open, then goes on with the messages that wait. */
  recover(): Promise<void>;
  /** Stops every run with a clear event. */
  close(): Promise<void>;
}

export interface NewMessage {
  readonly text: string;
  readonly mode?: "queue" | "steer";
}

export interface Submitted {
  readonly messageId: string;
  /** Of the `message` event: a stream of what follows starts here. */
  readonly eventId: number;
  /** Messages before it. */
  readonly position: number;
}
