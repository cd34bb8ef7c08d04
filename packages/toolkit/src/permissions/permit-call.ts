import { resolveOnAbort } from "@atoll/std";
import { type ParsedInput, parseInput } from "../call.ts";
import { failure } from "../output.ts";
import { judge, type JudgedCall } from "./judge.ts";
import type { PermissionRule } from "@atoll/protocol";
import type { Tool, ToolOutput } from "../tool.ts";

export interface PermissionOptions {
  /** Default: everything is allowed; the sandbox is the boundary. */
  readonly rules?: readonly PermissionRule[];
  /** Decides about a call for which a rule says `ask`. Without it, such calls are refused. Its errors reach the caller. */
  approve?(call: AskedCall, options: { readonly signal: AbortSignal }): Promise<SessionApproval>;
}

/** A call that is judged before it runs. */
export interface AskedCall extends JudgedCall {
  readonly callId: string;
  /** The call that it is a part of, if a program or another agent makes it. */
  readonly parentCallId?: string;
}

export type SessionApproval =
  | {
      readonly decision: "allow";
      /** Replaces the arguments that were asked about. */
      readonly input?: unknown;
    }
  | {
      readonly decision: "deny";
      readonly reason?: string;
      /** Who decided; `end`: the run ended first. Default: the user. */
      readonly by?: keyof typeof DENIALS;
    };

/** The arguments with which the call may run, parsed by the tool's schema, or why it must not. */
export type Permitted = { readonly input: ParsedInput } | { readonly refusal: ToolOutput };

/**
 * Judges a call by the rules and, where they say so, asks for approval. The arguments are parsed first: what is judged and
 * shown is what runs.
 */
export async function permitCall(
  tool: Tool,
  asked: AskedCall,
  options: PermissionOptions & { readonly signal: AbortSignal; readonly isApproved: boolean },
): Promise<Permitted> {
  const { rules = [], signal, isApproved } = options;
  const parsed = parseInput(tool, asked.input);
  if ("fault" in parsed) return refuse(parsed.fault);
  const call = { ...asked, ...parsed };
  const permission = judge(rules, call);
  if (permission === "deny") return refuse(`A rule does not allow this call of ${call.tool}.`);
  if (permission === "allow" || isApproved) return parsed;
  const asking = options.approve?.(call, { signal });
  if (!asking) return refuse(`${call.tool} needs an approval here, and nobody here can give it.`);
  const approval = await resolveOnAbort(asking, signal);
  if (!approval) return { refusal: { ...failure(`${call.tool} was stopped.`), errorCode: "aborted" } };
  if (approval.decision === "deny") return refuse(describeDenial(approval));
  return "input" in approval ? checkChanged(tool, { ...call, input: approval.input }, rules) : parsed;
}

/** An approval may change the arguments, but not into a call that a rule denies. */
function checkChanged(tool: Tool, call: JudgedCall, rules: readonly PermissionRule[]): Permitted {
  const parsed = parseInput(tool, call.input);
  if ("fault" in parsed) return refuse(parsed.fault);
  if (judge(rules, { ...call, ...parsed }) !== "deny") return parsed;
  return refuse(`A rule does not allow this call of ${call.tool} with the arguments as they were changed.`);
}

const DENIALS = {
  user: "The user did not allow this call",
  rule: "A rule does not allow this call",
  timeout: "Nobody allowed this call in time",
  end: "This call was not allowed",
};

function describeDenial({ reason, by = "user" }: Extract<SessionApproval, { decision: "deny" }>): string {
  return reason ? `${DENIALS[by]}: ${reason}` : `${DENIALS[by]}.`;
}

function refuse(reason: string): Permitted {
  return { refusal: failure(reason) };
}
