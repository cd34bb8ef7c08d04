import { resolveOnAbort } from "@atoll/std";
import { type ParsedInput, parseInput } from "../call.ts";
import { failure } from "../output.ts";
import { judge, type JudgedCall } from "../permissions/judge.ts";
import type { PermissionRule } from "@atoll/protocol";
import type { Tool, ToolOutput } from "../tool.ts";

export interface PermissionOptions {
  /** Default: everything is allowed; the sandbox is the boundary. */
  readonly rules?: readonly PermissionRule[];
  /** Decides what a rule says to ask about. Without it, such calls are refused. What it throws reaches the caller. */
  approve?(call: AskedCall, options: { readonly signal: AbortSignal }): Promise<SessionApproval>;
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

/** The arguments to go by, which fit the tool, or why not. */
export type Permitted = { readonly input: ParsedInput } | { readonly refusal: ToolOutput };

/** Whether a call may be made, and with which arguments. They are parsed here, before anything else looks at them. */
export async function seekPermission(
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
  if (!asking) return refuse(`${call.tool} needs an approval here, and there is nobody to give it.`);
  const approval = await resolveOnAbort(asking, signal);
  if (!approval) return { refusal: { ...failure(`${call.tool} was stopped.`), errorCode: "aborted" } };
  if (approval.decision === "deny")
    return refuse(`The user did not allow this call${approval.reason ? `: ${approval.reason}` : "."}`);
  return "input" in approval ? checkChanged(tool, { ...call, input: approval.input }, rules) : parsed;
}

/** Who allows a call may change it, but not into one that a rule denies. */
function checkChanged(tool: Tool, call: JudgedCall, rules: readonly PermissionRule[]): Permitted {
  const parsed = parseInput(tool, call.input);
  if ("fault" in parsed) return refuse(parsed.fault);
  if (judge(rules, { ...call, ...parsed }) !== "deny") return parsed;
  return refuse(`A rule does not allow this call of ${call.tool} with the arguments as they were changed.`);
}

function refuse(reason: string): Permitted {
  return { refusal: failure(reason) };
}
