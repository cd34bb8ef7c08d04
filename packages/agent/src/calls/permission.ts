import type { PermissionRule } from "@atoll/protocol";
import { type AskedCall, type ParsedInput, permitCall, type Tool, type ToolOutput } from "@atoll/toolkit";
import type { AnswerRequest, Approval } from "../request.ts";

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
  /** A user was asked. */
  readonly hasWaited: boolean;
}

/**
 * Whether a call may run: the tool exists, the arguments fit, and the call is allowed. If not, what the model is told.
 * The arguments are parsed first: what is judged and shown is what runs.
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
  if (typeof call.input === "string")
    return refuse(mend(`The arguments of ${tool.name} are not valid JSON.`));
  let asked = false;
  let approval: Approval | undefined;
  try {
    const permitted = await permitCall(tool, call, {
      rules: ASK_ALWAYS,
      isApproved: false,
      signal,
      async approve(parsed, options) {
        asked = true;
        approval = await approve(parsed, options);
        const { input, ...decided } = approval;
        return input === undefined ? decided : { ...decided, input };
      },
    });
    if (signal.aborted && !approval) return { kind: "stopped" };
    if ("refusal" in permitted) {
      const { text } = permitted.refusal;
      return refuse(asked ? text : mend(text));
    }
    const { input, hasWaited = false } = approval ?? {};
    return { kind: "granted", tool, input: permitted.input, isEdited: input !== undefined, hasWaited };
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    throw error;
  }
}

/** The owner of the run applies its rules when it is asked. */
const ASK_ALWAYS: readonly PermissionRule[] = [{ tool: "*", permission: "ask" }];

function mend(fault: string): string {
  return `${fault}\nCall it again with the arguments mended.`;
}

function refuse(text: string): Permission {
  return { kind: "refused", output: { text, isError: true } };
}
