import { AtollError, type CallOptions } from "@atoll/sandbox";
import type { ToolOutput } from "../../tool.ts";

/**
 * Servers of the Model Context Protocol that the operator has configured, seen from a session. They run outside of the
 * sandbox. A server that there is not, that cannot be reached or that fails is an `AtollError`.
 */
export interface McpServers {
  /** Reaches out to none of them. */
  list(options: CallOptions): Promise<readonly McpServerListing[]>;
  tools(server: string, options: CallOptions): Promise<readonly McpToolListing[]>;
  execute(
    server: string,
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<ToolOutput>;
}

export interface McpServerListing {
  readonly name: string;
  readonly description?: string;
  /** `idle`: not used yet; its first use connects. */
  readonly state: "ready" | "idle" | "failed";
  /** Why it failed. */
  readonly reason?: string;
}

export interface McpToolListing {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AtollError("aborted", "stopped by the caller");
}
