import { type AskedCall, type ParsedInput, parseInput, type Tool, type ToolOutput } from "@atoll/toolkit";
import type { AnswerRequest, Approval } from "../request.ts";
import { orStopped, stopped } from "../loop/wait.ts";

export type Permission =
  | Granted
  | { readonly kind: "refused"; readonly output: ToolOutput }
  | { readonly kind: "stopped" };

export interface Granted {
  readonly kind: "granted";
  readonly tool: Tool;
  readonly input: ParsedInput;
  /** The arguments are the user's. */
  readonly isEdited: boolean;
  /** Somebody was asked. */
  readonly hasWaited: boolean;
}

/**
 * Whether a call may run: the tool is there, the arguments fit, it is allowed. If not, what the model is told. Who allows
 * it sees the arguments as they were parsed, and they run like that.
 */
export async function seekPermission(
  call: AskedCall,
  tools: readonly Tool[],
  { approve, signal }: Pick<AnswerRequest, "approve" | "signal">,
): Promise<Permission> {
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(", ");
    return refuse(`There is no tool "${call.tool}". There are: ${names}`);
  }
  const parsed = parse(tool, call.input);
  if ("fault" in parsed) return refuse(`${parsed.fault}\nCall it again with the arguments mended.`);
  const approval = await orStopped(approve({ ...call, ...parsed }, { signal }), signal);
  if (approval === stopped) return { kind: "stopped" };
  if (approval.decision === "deny") return refuse(describeDenial(approval));
  const { hasWaited = false } = approval;
  if (approval.input === undefined) return { kind: "granted", tool, ...parsed, isEdited: false, hasWaited };
  const edited = parse(tool, approval.input);
  return "fault" in edited
    ? refuse(edited.fault)
    : { kind: "granted", tool, ...edited, isEdited: true, hasWaited };
}

function parse(tool: Tool, input: unknown): ReturnType<typeof parseInput> {
  return typeof input === "string"
    ? { fault: `The arguments of ${tool.name} are not valid JSON.` }
    : parseInput(tool, input);
}

function describeDenial({ reason, by = "user" }: Approval): string {
  return reason ? `${denials[by]}: ${reason}` : `${denials[by]}.`;
}

const denials = {
  user: "The user did not allow this call",
  rule: "A rule does not allow this call",
  timeout: "Nobody allowed this call in time",
  end: "This call was not allowed",
};

function refuse(text: string): Permission {
  return { kind: "refused", output: { text, isError: true } };
}
