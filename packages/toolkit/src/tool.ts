import type { Notice } from "@atoll/protocol";
import type {
  Artifact,
  CallOptions,
  ErrorCode,
  RunError,
  RunOutput,
  RunPlace,
  RunStatus,
  Sandbox,
} from "@atoll/sandbox";
import type { z } from "zod";
import type { BrowserAccess } from "./browser/browser.ts";
import type { McpServers } from "./mcp/client/servers.ts";

/** Something a model can do in a sandbox. Knows no framework: adapters turn it into what theirs wants. */
export interface Tool<Input = unknown> {
  readonly name: string;
  /** What the model reads about it; kept in a file of its own beside the code. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** The form of `data` whenever a call succeeds: clients may rely on it. */
  readonly output?: z.ZodType;
  /** Leaves files, variables and processes as they are. */
  readonly isReadOnly: boolean;
  /** Reaches hosts or servers outside of the sandbox. */
  readonly isOpenWorld?: boolean;
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
  /** For code that calls tools. Absent: `execute_code` is not supported. */
  readonly calls?: ToolCalls;
  /** The address at which a user reaches a port of the sandbox. Absent: `preview_url` is not supported. */
  previewUrl?(port: number, options: CallOptions): Promise<string>;
  /** The session's browser, started by its first use. Absent: the browser tools are not supported. */
  readonly browser?: BrowserAccess;
  /** Other agents with a context of their own. Absent: `task` and `browser_tool` are not supported. */
  readonly agents?: SubAgents;
  /** Those that the operator has configured. Absent: there are none. */
  readonly mcp?: McpServers;
}

/** Agents that do a part of the work. Their calls go through the session's approvals under their own name. */
export interface SubAgents {
  /** Resolves also when it fails: then `isError`, and `text` says why. */
  run(
    order: SubAgentOrder,
    options: { readonly signal: AbortSignal; readonly maxOutputChars: number },
  ): Promise<SubAgentReport>;
}

export interface SubAgentOrder {
  /** Whose rules hold for its calls. */
  readonly agent: "task" | "browser";
  /** Its system prompt. */
  readonly role: string;
  readonly task: string;
  /** Of the session's tools, by name; those that are not there are left out. Without it, all but sub-agents. */
  readonly tools?: readonly string[];
  /** Model calls. */
  readonly maxSteps: number;
  /** A JSON Schema: the answer must be a value that fits, and comes as `data`. */
  readonly answerSchema?: Readonly<Record<string, unknown>>;
}

export interface SubAgentReport {
  readonly text: string;
  readonly isError: boolean;
  readonly data?: unknown;
  /** Model calls that it took. */
  readonly steps: number;
}

/** The way back to the session: every call goes through its approvals and limits, as if the model had made it. */
export interface ToolCalls {
  /** What may be called. */
  readonly tools: readonly Tool[];
  /** A refusal is an output with `isError`. May be called again before an earlier call has ended. */
  call(
    name: string,
    input: unknown,
    options: { readonly signal: AbortSignal; readonly maxOutputChars: number },
  ): Promise<ToolOutput>;
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
  /** In which of two runtimes it ran, and why. */
  readonly place?: RunPlace;
  readonly notices: readonly string[];
  /** The same as codes with values, where they have codes. */
  readonly codedNotices?: readonly Notice[];
}

/** What the model gets. `text` is complete for a model that takes nothing else. */
export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
  /** When the platform failed, not the model's code. */
  readonly errorCode?: ErrorCode;
  /** The same as JSON values, for programs. Not cut. */
  readonly data?: unknown;
  /** Pictures for a model that can see. */
  readonly images?: readonly ToolFile[];
  /** Documents for a model that can read them as they are. */
  readonly files?: readonly ToolFile[];
}

export interface ToolFile {
  readonly name: string;
  readonly mime: string;
  readonly base64: string;
}
