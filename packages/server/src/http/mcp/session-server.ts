import type { Sandbox } from "@atoll/sandbox";
import { openToolSession, type PermissionRule, type Tool, type ToolSessionOptions } from "@atoll/toolkit";
import {
  createElicitedApproval,
  createMcpServer,
  createWorkspaceResources,
  type McpServer,
  type McpToolSession,
} from "@atoll/toolkit/mcp";

/** The MCP server of one session, on its sandbox. */
export interface SessionServer {
  /** Not connected to its client yet. */
  readonly mcpServer: McpServer;
  isBusy(): boolean;
  /** Call it when the session has ended. */
  end(): Promise<void>;
}

export interface SessionServerOptions {
  /** Called for every use. */
  open(): Promise<Sandbox>;
  /** Whether the sandbox has been created. */
  isThere(): boolean;
  /** The rules in force now. */
  rules(): readonly PermissionRule[];
  readonly tools: readonly Tool[];
  /** What tools get beside the sandbox. */
  readonly context: Pick<ToolSessionOptions, "previewUrl" | "browser" | "mcp">;
  /** After a call, e.g. when the sandbox was found dead. */
  onCalled?(errorCode: string | undefined): void;
  end(): Promise<void>;
  onProblem(error: unknown): void;
}

/** Serves the tools and files of a sandbox. Every call opens the sandbox and reads the rules again. */
export function createSessionServer(options: SessionServerOptions): SessionServer {
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
    mcpServer: createMcpServer(session, {
      resources: createWorkspaceResources({ open, isThere, rules }),
      onDefect: onProblem,
    }),
    isBusy: () => running > 0,
    end,
  };
}
