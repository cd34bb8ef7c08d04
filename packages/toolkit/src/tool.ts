import type { Artifact, ErrorCode, RunError, RunOutput, RunStatus, Sandbox } from "@atoll/sandbox";
import type { z } from "zod";

/** Something a model can do in a sandbox. Knows no framework: adapters turn it into what theirs wants. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** What the model reads about it; kept in a file of its own beside the code. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** Leaves files, variables and processes as they are. */
  readonly isReadOnly: boolean;
  /** A failure of the platform may be thrown as an AtollError; `callTool` tells it to the model. */
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolContext {
  /** Unique within the thread. */
  readonly callId: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly report: ToolReporter;
  /** Longer text is cut for the model. */
  readonly maxOutputChars: number;
}

/** What the user sees of a call while it runs. */
export interface ToolReporter {
  codeStarted(code: { language: CodeReport["language"]; code: string }): void;
  output(stream: "stdout" | "stderr", text: string): void;
  result(result: RunOutput): void;
  artifact(artifact: Artifact): void;
  codeEnded(run: CodeReport): void;
}

export interface CodeReport {
  readonly language: "python" | "shell";
  readonly code: string;
  /** What it printed and showed, as text. */
  readonly output: string;
  readonly status: RunStatus;
  readonly exitCode: number;
  readonly truncated: boolean;
  readonly error?: RunError;
  readonly notices: readonly string[];
}

/** What the model is told. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
  /** When the platform failed, not the model's code. */
  readonly errorCode?: ErrorCode;
}
