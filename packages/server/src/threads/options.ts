import type { AnswerRequest, ModelChoice } from "@atoll/agent";
import type { ThreadSandboxes } from "@atoll/lifecycle";
import type { DataProfile, RunEvent, RunOutcome, StoredEvent } from "@atoll/protocol";
import type { Limits, NetworkPolicy, Sandbox } from "@atoll/sandbox";
import type { PermissionRule } from "@atoll/toolkit";
import type { NewThread, Store, ThreadRecord, ThreadSettings } from "../store/contract.ts";

export interface RunnerOptions {
  readonly store: Pick<Store, "ages" | "blobs" | "log" | "threads" | "trash" | "uploads">;
  readonly sandboxes: Pick<
    ThreadSandboxes,
    | "wake"
    | "state"
    | "hibernate"
    | "remove"
    | "keepAwake"
    | "checkpoint"
    | "checkpoints"
    | "branch"
    | "hasNonPythonChanges"
    | "subscribe"
  >;
  answer(request: AnswerRequest): Promise<RunOutcome>;
  /** A run uses the thread until the returned function is called. */
  useThread?(threadId: string): () => void;
  /** A status that the user sees at the end of a run, before `done`. Never rejects. */
  lastStatus?(threadId: string): Promise<Extract<RunEvent, { type: "status" }> | undefined>;
  /** The `done` of a run was stored. */
  onDone?(done: StoredEvent & { type: "done" }): void;
  /** Limits of the thread's sandbox from its next start on. Default: the driver's. */
  sandboxLimits?(threadId: string): Promise<Partial<Limits>>;
  /** What may be added to the thread; undefined: as `limits` say. */
  roomBytes?(threadId: string): Promise<number | undefined>;
  /** Bytes of copies that the thread may hold, known without waiting; undefined: as `limits` say. */
  keptBytes?(threadId: string): number | undefined;
  /** Id and kind of a branch of this thread. Undefined: a lasting thread with a random id. */
  branchId?(source: ThreadRecord): Pick<NewThread, "id" | "temporary"> | undefined;
  /** May throw, e.g. for a model whose key is missing: then the run fails with that error. */
  resolveModel(settings: ThreadSettings): ModelChoice;
  /** What the sandbox of a thread with these settings may reach, for the model to know. */
  networkOf?(settings: ThreadSettings): NetworkPolicy;
  /**
   * Loads the files below `/data` into the kernel and describes them. `order`: as the user gave them. `known`: describes
   * files that the kernel has loaded already.
   */
  loadTables(
    sandbox: Sandbox,
    options: { order: readonly string[]; known?: DataProfile; signal: AbortSignal },
  ): Promise<DataProfile>;
  /** Path on the host of the table that a thread without files works on. */
  readonly bundledDataset: string;
  /** What a thread's model may call. Default: the agent's own choice. */
  readonly tools?: AnswerRequest["tools"];
  /** What tools get in a thread, beside its sandbox. */
  toolContext?(threadId: string): NonNullable<AnswerRequest["toolContext"]>;
  /** The operator's rules for what tools may do, in all threads. Default: none. */
  approvalRules?(): readonly PermissionRule[];
  /** For defects and failures that users do not see in full. */
  reportFault?(fault: Fault): void;
  /** A checkpoint was taken, or could not be. */
  onCheckpoint?(checkpoint: { readonly isTaken: boolean; readonly durationMs: number }): void;
  readonly limits?: Partial<RunnerLimits>;
}

export interface RunnerLimits {
  /** In all threads together. Further runs wait in order. */
  readonly maxRunsAtOnce: number;
  /** Messages that may wait in one thread. */
  readonly maxQueued: number;
  /** An undecided approval is refused after this time. */
  readonly approvalTimeoutMs: number;
  /** How long an agent may take to end after a stop before its run is closed without it. */
  readonly stopGraceMs: number;
  /** How long the next run waits for an agent that did not end in time. */
  readonly abandonedMs: number;
  readonly maxArtifactBytes: number;
  /** Copies of artifacts and images that a thread may hold. Beyond it no artifact is copied. */
  readonly maxKeptBytes: number;
}

export const DEFAULT_LIMITS: RunnerLimits = {
  maxRunsAtOnce: 256,
  maxQueued: 100,
  approvalTimeoutMs: 60 * 60_000,
  stopGraceMs: 120,
  abandonedMs: 10_000,
  maxArtifactBytes: 50 * 1024 * 1024,
  maxKeptBytes: 2 * 1024 * 1024 * 1024,
};

export interface Fault {
  readonly message: string;
  readonly threadId: string;
  readonly runId?: string;
  readonly error: unknown;
}

/** What every part of a thread is given. */
export interface RunnerContext extends Omit<RunnerOptions, "limits" | "reportFault"> {
  readonly limits: RunnerLimits;
  reportFault(fault: Fault): void;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}
