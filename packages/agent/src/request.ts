import type { LostVariable, NetworkPolicy, Sandbox, SandboxInfo } from "@atoll/sandbox";
import type { AskedCall, Tool, ToolContext } from "@atoll/toolkit";
import type { CodeRun, DataProfile, RunEvent, RunOutcome, RunTally } from "@atoll/protocol";
import type { Turn, TurnPart } from "./history.ts";

/** All that is needed to answer one message. Whoever asks owns the log, the sandbox and the keys. */
export interface AnswerRequest {
  readonly message: string;
  /** Earlier turns of the thread, oldest first. */
  readonly history: readonly Turn[];
  /** Who answers. */
  readonly model: ModelChoice | UserCode;
  readonly data: DataProfile;
  /** What became of the variables, known before the wake of this run and not yet said to the model. */
  readonly restore?: Restore;
  /** Paths and limits, where an earlier wake has shown them. Default: those that every isolating driver has. */
  readonly sandboxFacts?: Pick<SandboxInfo, "paths" | "limits">;
  /** `auto`: the sandbox has two runtimes, and the model may choose. */
  readonly runtime?: "auto";
  /** What the sandbox may reach. Default: nothing. */
  readonly network?: NetworkPolicy;
  /** Begins at once and is awaited only when a tool needs the sandbox: a wake hides behind the first model call. */
  wake(): Promise<Awake>;
  /** Into the log, in this order. */
  emit(event: RunEvent): void;
  /** Counts what goes through `emit`, from when the user began to wait. Default: the agent counts for itself. */
  readonly tally?: RunTally;
  /** What the model may call. Default: the sandbox's tools and programs that call them. */
  readonly tools?: readonly Tool[];
  /** What tools get beside the sandbox. */
  readonly toolContext?: Pick<ToolContext, "previewUrl" | "browser" | "mcp">;
  /** Goes on with a run that an earlier server has begun. */
  readonly resume?: Resumption;
  /**
   * Asks whether a tool may run; where the rules allow it, at once. `signal`: the call is given up, so nobody needs to
   * decide any more.
   */
  approve(call: AskedCall, options?: { readonly signal: AbortSignal }): Promise<Approval>;
  /** Messages that came in since the last look and want to reach the model before its next call. */
  takeSteering(): readonly Steering[];
  /** Keeps an image with the thread: the address, or undefined when there is no room for it. */
  keepImage(image: { mime: string; base64: string }): string | undefined;
  /** Keeps a copy of a file that a run made; the address, or undefined when it is too large. */
  keepArtifact(
    sandbox: Sandbox,
    artifact: { path: string; hash: string; sizeBytes: number; mime: string },
  ): Promise<string | undefined>;
  /** The user's stop. What was said so far stays. */
  readonly signal: AbortSignal;
  readonly limits?: Partial<AnswerLimits>;
}

export interface AnswerLimits {
  /** Model calls of one answer. */
  readonly maxSteps: number;
  /** Of one tool's output, as the model sees it. */
  readonly maxToolOutputChars: number;
  readonly maxRetries: number;
  /** A model stream that is silent for this long counts as cut. */
  readonly stallTimeoutMs: number;
  /** The first wait before a model call is tried again; it doubles each time. */
  readonly retryBaseMs: number;
}

export type ModelChoice =
  | { readonly kind: "built-in" }
  | {
      readonly kind: "model";
      readonly provider: "openai" | "openai-compatible" | "anthropic" | "google";
      readonly model: string;
      readonly apiKey?: string;
      readonly baseUrl?: string;
    };

/** Nobody answers: the message is code, which the user runs. */
export interface UserCode {
  readonly kind: "user";
  readonly language: "python" | "shell";
}

export interface Awake {
  readonly sandbox: Sandbox;
  /** e.g. `hot`, `new→hot (21ms)`. */
  readonly state: string;
  readonly wakeMs: number;
  /** What the model has not been told yet. */
  readonly restore?: Restore;
  /** To be called when it has been told. */
  markTold?(): void;
}

/** The sandbox was made anew from its files: what became of the variables. */
export interface Restore {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  /** The variables are as old as this: the sandbox had ended by itself, and what was done since is lost. */
  readonly variablesAt?: string;
  /** No variable at all has come back, and nobody knows which there were. */
  readonly isEmpty?: boolean;
}

export interface ToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
}

export interface Approval {
  readonly decision: "allow" | "deny";
  readonly reason?: string;
  /** Who decided; `end`: the run ended first. Default: the user. */
  readonly by?: "user" | "rule" | "timeout" | "end";
  /** The arguments that the call is to run with instead of its own. */
  readonly input?: unknown;
  /** Somebody was asked; the sandbox may have rested meanwhile. */
  readonly hasWaited?: boolean;
}

/** What a run has said and done so far, as its log tells. Calls without an output are those still to be made. */
export interface Resumption {
  readonly parts: readonly TurnPart[];
  /** Model calls so far. */
  readonly steps: number;
  readonly codeRuns: readonly CodeRun[];
  /** A program was cut off: what is left of it in the sandbox is to be ended. */
  readonly hasLeftovers?: boolean;
}

export interface Steering {
  readonly messageId: string;
  readonly text: string;
}

export type { RunOutcome };
