import { randomUUID } from "node:crypto";
import type { Sandbox } from "@atoll/sandbox";
import { findTool } from "../aliases.ts";
import { allTools } from "../all-tools.ts";
import { callTool, parseInput } from "../call.ts";
import { failure } from "../output.ts";
import { judge, type JudgedCall } from "../permissions/judge.ts";
import { type Permitted, type PermissionOptions, permitCall } from "../permissions/permit-call.ts";
import { pick } from "./pick.ts";
import type { Tool, ToolContext, ToolOutput, ToolReporter } from "../tool.ts";

/** Tools on one sandbox under one set of rules: what every adapter is made of. */
export interface ToolSession {
  readonly sandbox: Sandbox;
  readonly tools: readonly Tool[];
  /** By any of the tool's names. Never rejects but for a defect: refusals and failures are outputs with `isError`. */
  call(name: string, input: unknown, options?: SessionCallOptions): Promise<ToolOutput>;
  /**
   * A rule says to ask about this call, and the session cannot ask: a framework with approvals of its own asks,
   * and then calls with `isApproved`. Absent: the session asks by itself.
   */
  needsApproval?(name: string, input: unknown): boolean;
}

/** A session that also says what its rules make of things that are done to the sandbox by another way than a tool. */
export interface GuardedSession extends ToolSession {
  /** As if this tool were called, whether or not the session offers it: the arguments to go by, or why not. */
  permit(name: string, input: unknown, options?: Pick<SessionCallOptions, "signal">): Promise<Permitted>;
}

const CONTEXT_PARTS = ["previewUrl", "browser", "agents", "mcp"] as const;

export interface ToolSessionOptions
  extends PermissionOptions, Pick<ToolContext, (typeof CONTEXT_PARTS)[number]> {
  /** Default: all. */
  readonly tools?: readonly Tool[];
  /** Whose rules hold. Default: `main`. */
  readonly agent?: string;
  /** Of a tool's text. Default: 30,000. */
  readonly maxOutputChars?: number;
}

export interface SessionCallOptions {
  readonly signal?: AbortSignal;
  readonly report?: Partial<ToolReporter>;
  readonly maxOutputChars?: number;
  /** The caller already has the approval for this call. A rule that denies still denies. */
  readonly isApproved?: boolean;
}

export function openToolSession(sandbox: Sandbox, options: ToolSessionOptions = {}): GuardedSession {
  return new OpenSession(sandbox, options);
}

class OpenSession implements GuardedSession {
  readonly sandbox: Sandbox;
  readonly tools: readonly Tool[];
  readonly #options: ToolSessionOptions;

  constructor(sandbox: Sandbox, options: ToolSessionOptions) {
    this.sandbox = sandbox;
    this.tools = options.tools ?? allTools;
    this.#options = options;
  }

  async call(name: string, input: unknown, options: SessionCallOptions = {}): Promise<ToolOutput> {
    const tool = findTool(name, this.tools);
    if (!tool) return failure(`There is no tool "${name}".`);
    const callId = makeCallId();
    const { signal = new AbortController().signal, isApproved = false } = options;
    const asked = { ...this.#judged(tool.name, input), callId };
    const permitted = await permitCall(tool, asked, { ...this.#options, signal, isApproved });
    if ("refusal" in permitted) return permitted.refusal;
    return callTool(tool, permitted.input, this.#contextOf(callId, signal, options));
  }

  async permit(
    name: string,
    input: unknown,
    { signal = new AbortController().signal }: Pick<SessionCallOptions, "signal"> = {},
  ): Promise<Permitted> {
    const tool = findTool(name);
    if (!tool) return { refusal: failure(`There is no tool "${name}".`) };
    const asked = { ...this.#judged(name, input), callId: makeCallId() };
    return permitCall(tool, asked, { ...this.#options, signal, isApproved: false });
  }

  needsApproval(name: string, input: unknown): boolean {
    const { rules = [], approve } = this.#options;
    const tool = findTool(name, this.tools);
    // What does not fit is refused anyway.
    const parsed = tool && parseInput(tool, input);
    if (approve || !parsed || "fault" in parsed) return false;
    return judge(rules, this.#judged(name, parsed.input)) === "ask";
  }

  #judged(tool: string, input: unknown): JudgedCall {
    return { agent: this.#options.agent ?? "main", tool, input };
  }

  #contextOf(callId: string, signal: AbortSignal, options: SessionCallOptions): ToolContext {
    const { maxOutputChars = 30_000 } = this.#options;
    return {
      ...pick(this.#options, CONTEXT_PARTS),
      callId,
      sandbox: this.sandbox,
      signal,
      maxOutputChars: options.maxOutputChars ?? maxOutputChars,
      report: { ...silence, ...options.report },
      calls: { tools: this.tools, call: (name, input, around) => this.call(name, input, around) },
    };
  }
}

function makeCallId(): string {
  return `call_${randomUUID()}`;
}

const silence: ToolReporter = {
  codeStarted() {},
  output() {},
  result() {},
  artifact() {},
  codeEnded() {},
};
