import type { Sandbox } from "@atoll/sandbox";
import { openToolSession, type PermissionRule, type Tool, type ToolSessionOptions } from "@atoll/toolkit";
import {
  createElicitedApproval,
  createMcpServer,
  createWorkspaceResources,
  type McpServer,
  type McpToolSession,
} from "@atoll/toolkit/mcp";

/** What a session works on. */
export interface McpPlace {
  /** Not connected to its client yet. */
  readonly server: McpServer;
  isBusy(): boolean;
  /** The session has ended. */
  end(): Promise<void>;
}

export interface PlaceOptions {
  /** Called for every use. */
  open(): Promise<Sandbox>;
  /** False: there is no sandbox yet. */
  isThere(): boolean;
  /** Those of this moment. */
  rules(): readonly PermissionRule[];
  readonly tools: readonly Tool[];
  /** What tools get beside the sandbox. */
  readonly context: Pick<ToolSessionOptions, "previewUrl" | "browser" | "mcp">;
  /** After a call, e.g. when the sandbox was found dead. */
  onCalled?(errorCode: string | undefined): void;
  end(): Promise<void>;
  onProblem(error: unknown): void;
}

/** Tools and files of a sandbox that is looked for anew with every call, under the rules of that moment. */
export function createPlace(options: PlaceOptions): McpPlace {
  const { open, isThere, rules, tools, context, onCalled, end, onProblem } = options;
  const approve = createElicitedApproval();
  let running = 0;
  const session: McpToolSession = {
    tools,
    async call(name, input, around) {
      running += 1;
      try {
        const opened = openToolSession(await open(), { ...context, tools, rules: rules(), approve });
        const output = await opened.call(name, input, around);
        onCalled?.(output.errorCode);
        return output;
      } finally {
        running -= 1;
      }
    },
  };
  return {
    server: createMcpServer(session, {
      resources: createWorkspaceResources({ open, isThere, rules }),
      onDefect: onProblem,
    }),
    isBusy: () => running > 0,
    end,
  };
}
