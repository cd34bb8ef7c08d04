import { checkInput, type Tool, type ToolOutput } from "@atoll/toolkit";
import type { AnswerRequest, ToolCall } from "../request.ts";
import { orStopped, stopped } from "./wait.ts";

export type Permission =
  | { readonly kind: "granted"; readonly tool: Tool }
  | { readonly kind: "refused"; readonly output: ToolOutput }
  | { readonly kind: "stopped" };

/** Whether a call may run: the tool is there, the arguments fit, the user allows it. If not, what the model is told. */
export async function seekPermission(
  call: ToolCall,
  tools: readonly Tool[],
  { approve, signal }: Pick<AnswerRequest, "approve" | "signal">,
): Promise<Permission> {
  const tool = tools.find(({ name }) => name === call.tool);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(", ");
    return refuse(`There is no tool "${call.tool}". There are: ${names}`);
  }
  const fault = findFault(tool, call.input);
  if (fault !== undefined) return refuse(`${fault}\nCall it again with the arguments mended.`);
  const approval = await orStopped(approve(call), signal);
  if (approval === stopped) return { kind: "stopped" };
  if (approval.decision === "allow") return { kind: "granted", tool };
  return refuse(`The user did not allow this call${approval.reason ? `: ${approval.reason}` : "."}`);
}

function findFault(tool: Tool, input: unknown): string | undefined {
  return typeof input === "string"
    ? `The arguments of ${tool.name} are not valid JSON.`
    : checkInput(tool, input);
}

function refuse(text: string): Permission {
  return { kind: "refused", output: { text, isError: true } };
}
