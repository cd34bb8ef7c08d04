import { randomUUID } from "node:crypto";
import type { Sandbox } from "@atoll/sandbox";
import { findTool } from "../aliases.ts";
import { allTools } from "../all-tools.ts";
import { callTool, checkInput } from "../call.ts";
import { failure } from "../output.ts";
import { judge, type JudgedCall } from "../permissions/judge.ts";
import type { PermissionRule } from "../permissions/rule.ts";
import type { Tool, ToolContext, ToolOutput, ToolReporter } from "../tool.ts";

/** Tools on one sandbox under one set of rules: what every adapter is made of. */
export interface ToolSession {
  readonly sandbox: Sandbox;
  readonly tools: readonly Tool[];
  /** By any of the tool's names. Never rejects but for a defect: refusals and failures are outputs with `isError`. */
  call(name: string, input: unknown, options?: SessionCallOptions): Promise<ToolOutput>;
}

export interface ToolSessionOptions extends Pick<ToolContext, "previewUrl" | "browser" | "agents" | "mcp"> {
  /** Default: all. */
  readonly tools?: readonly Tool[];
  /** Default: everything is allowed; the sandbox is the boundary. */
  readonly rules?: readonly PermissionRule[];
  /** Whose rules hold. Default: `main`. */
  readonly agent?: string;
  /** Decides what a rule says to ask about. Without it, such calls are refused. */
  approve?(call: AskedCall, options: { readonly signal: AbortSignal }): Promise<SessionApproval>;
  /** Of a tool's text. Default: 30,000. */
  readonly maxOutputChars?: number;
}

export interface AskedCall extends JudgedCall {
  readonly callId: string;
}

export type SessionApproval =
  | {
      readonly decision: "allow";
      /** Instead of the arguments that were asked about. */ readonly input?: unknown;
    }
  | { readonly decision: "deny"; readonly reason?: string };

export interface SessionCallOptions {
  readonly signal?: AbortSignal;
  readonly report?: Partial<ToolReporter>;
  readonly maxOutputChars?: number;
}

export function openToolSession(sandbox: Sandbox, options: ToolSessionOptions = {}): ToolSession {
  return new OpenSession(sandbox, options);
}

class OpenSession implements ToolSession {
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
    const fault = checkInput(tool, input);
    if (fault !== undefined) return failure(fault);
    const signal = options.signal ?? new AbortController().signal;
    const callId = `call_${randomUUID()}`;
    const permitted = await this.#seekPermission(tool, { callId, input }, signal);
    if ("refusal" in permitted) return failure(permitted.refusal);
    return callTool(tool, permitted.input, this.#contextOf(callId, signal, options));
  }

  async #seekPermission(
    tool: Tool,
    { callId, input }: { callId: string; input: unknown },
    signal: AbortSignal,
  ): Promise<{ input: unknown } | { refusal: string }> {
    const { rules = [], agent = "main", approve } = this.#options;
    const call = { callId, agent, tool: tool.name, input };
    const permission = judge(rules, call);
    if (permission === "allow") return { input };
    if (permission === "deny") return { refusal: `A rule does not allow this call of ${tool.name}.` };
    if (!approve) return { refusal: `${tool.name} needs an approval here, and there is nobody to give it.` };
    const approval = await approve(call, { signal });
    if (approval.decision === "allow") return { input: "input" in approval ? approval.input : input };
    return { refusal: `The user did not allow this call${approval.reason ? `: ${approval.reason}` : "."}` };
  }

  #contextOf(callId: string, signal: AbortSignal, options: SessionCallOptions): ToolContext {
    const {
      tools: _,
      rules: __,
      agent: ___,
      approve: ____,
      maxOutputChars = 30_000,
      ...parts
    } = this.#options;
    return {
      ...parts,
      callId,
      sandbox: this.sandbox,
      signal,
      maxOutputChars: options.maxOutputChars ?? maxOutputChars,
      report: { ...silence, ...options.report },
      calls: { tools: this.tools, call: (name, input, around) => this.call(name, input, around) },
    };
  }
}

const silence: ToolReporter = {
  codeStarted() {},
  output() {},
  result() {},
  artifact() {},
  codeEnded() {},
};
