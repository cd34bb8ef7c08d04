import { tool, type ToolSet } from "ai";
import type { ToolSession } from "../session/tool-session.ts";
import type { Tool, ToolFile, ToolOutput } from "../tool.ts";
import { pickTools, type ToolPick } from "./tool-pick.ts";

export { toAiSandbox } from "./ai-sandbox.ts";

/**
 * A session's tools as the AI SDK's. If a rule says to ask and the session cannot ask, the SDK's own approval
 * is asked for: the call waits for a `tool-approval-response`.
 */
export function toAiTools(session: ToolSession, pick?: ToolPick): ToolSet {
  return Object.fromEntries(pickTools(session, pick).map((known) => [known.name, toAiTool(session, known)]));
}

function toAiTool(session: ToolSession, { name, description, input: inputSchema }: Tool): ToolSet[string] {
  /** Call id → arguments for which the SDK was told to ask. It asks again before it runs an approved call. */
  const asked = new Map<string, string>();
  return tool({
    description,
    inputSchema,
    needsApproval(input, { toolCallId }) {
      const isNeeded = session.needsApproval?.(name, input) ?? false;
      if (isNeeded) asked.set(toolCallId, JSON.stringify(input));
      return isNeeded;
    },
    execute(input, { toolCallId, abortSignal }) {
      const isApproved = asked.get(toolCallId) === JSON.stringify(input);
      asked.delete(toolCallId);
      return session.call(name, input, { isApproved, signal: abortSignal });
    },
    toModelOutput: ({ output }) => toModelOutput(output),
  });
}

function toModelOutput({ text, isError, images = [], files = [] }: ToolOutput) {
  const parts = [...images, ...files].map(toFilePart);
  if (parts.length > 0)
    return { type: "content" as const, value: [{ type: "text" as const, text }, ...parts] };
  return { type: isError ? ("error-text" as const) : ("text" as const), value: text };
}

function toFilePart({ name, mime, base64 }: ToolFile) {
  const data = { type: "data" as const, data: base64 };
  return { type: "file" as const, mediaType: mime, filename: name, data };
}
