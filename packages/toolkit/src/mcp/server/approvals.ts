import { judge, ruleFor } from "../../permissions/judge.ts";
import type { PermissionRule } from "@atoll/protocol";
import { showCall, type ShownCall } from "../../permissions/shown-call.ts";
import type { AskedCall, SessionApproval } from "../../permissions/permit-call.ts";
import type { ToolSessionOptions } from "../../session/tool-session.ts";
import { currentRequest, type McpRequest } from "./current-request.ts";

/** The client must answer within this time. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

/** An `approve` for sessions over MCP: asks the client's user by elicitation. */
export function createElicitedApproval(): NonNullable<ToolSessionOptions["approve"]> {
  const always: PermissionRule[] = [];
  return async (call, { signal }) => {
    if (judge([denyAll, ...always], call) === "allow") return { decision: "allow" };
    const asked = currentRequest();
    if (!asked?.server.getClientCapabilities()?.elicitation?.form) return cannotAsk;
    const shown = showCall(call);
    if (!shown) return tooLong;
    const answer = await ask(asked, call, shown, signal);
    if (answer === "allow_always") always.push(ruleFor(call, "allow"));
    return answer === "deny" ? { decision: "deny" } : { decision: "allow" };
  };
}

/** Denies what no later rule allows. */
const denyAll: PermissionRule = { tool: "*", permission: "deny" };

const cannotAsk: SessionApproval = {
  decision: "deny",
  reason: "a rule wants it asked about, and this MCP client cannot ask its user (it has no elicitation)",
};

const tooLong: SessionApproval = {
  decision: "deny",
  reason: "a rule wants it asked about, and its arguments are too long for anybody to read; make it shorter",
};

async function ask(
  { server, extra }: McpRequest,
  call: AskedCall,
  { text, omittedChars }: ShownCall,
  signal: AbortSignal,
): Promise<"allow" | "allow_always" | "deny"> {
  const warning =
    omittedChars > 0
      ? `\nThey are too long to be shown in whole: ${omittedChars} characters are left out.`
      : "";
  try {
    const { action, content } = await server.elicitInput(
      {
        mode: "form",
        message: `May ${call.tool} be called with these arguments?${warning}\n${text}`,
        requestedSchema: {
          type: "object",
          properties: {
            decision: {
              type: "string",
              title: "Decision",
              oneOf: [
                { const: "allow", title: "Allow once" },
                { const: "allow_always", title: "Always allow this very call" },
                { const: "deny", title: "Do not allow" },
              ],
            },
          },
          required: ["decision"],
        },
      },
      { relatedRequestId: extra.requestId, signal, timeout: ANSWER_TIMEOUT_MS },
    );
    const decision = action === "accept" ? content?.["decision"] : "deny";
    return decision === "allow" || decision === "allow_always" ? decision : "deny";
  } catch {
    // Without a clear answer nothing is allowed.
    return "deny";
  }
}
