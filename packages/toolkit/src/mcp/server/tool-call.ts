import { type Artifact, AtollError } from "@atoll/sandbox";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  type CallToolRequest,
  type CallToolResult,
  ErrorCode,
  McpError,
  type ServerNotification,
  type ServerRequest,
} from "@modelcontextprotocol/sdk/types.js";
import { findTool } from "../../aliases.ts";
import { linkArtifacts, writeContent } from "./content.ts";
import { withRequest } from "./current-request.ts";
import { LiveOutput } from "./live-output.ts";
import type { LogLevel } from "./log-level.ts";
import type { ResourceWatch } from "../resources/resources.ts";
import type { McpToolSession } from "./server.ts";
import { structure } from "./structured.ts";

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface CallContext {
  readonly session: McpToolSession;
  readonly server: Server;
  readonly extra: RequestExtra;
  readonly logLevel: LogLevel;
  readonly watch: ResourceWatch | undefined;
  onDefect(error: unknown): void;
}

/** A call of a tool, from request to result. A tool that there is not is an error of the protocol; all else a result. */
export async function answerToolCall(
  { name, arguments: input = {}, _meta }: CallToolRequest["params"],
  { session, server, extra, logLevel, watch, onDefect }: CallContext,
): Promise<CallToolResult> {
  if (!findTool(name, session.tools))
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`);
  const artifacts = new Map<string, Artifact>();
  const live = new LiveOutput(name, { extra, logLevel, progressToken: _meta?.progressToken });
  try {
    const output = await withRequest({ server, extra }, () =>
      session.call(name, input, {
        signal: extra.signal,
        report: {
          output: (stream, text) => live.add(stream, text),
          artifact: (artifact) => void artifacts.set(artifact.path, artifact),
        },
      }),
    );
    if (artifacts.size > 0) watch?.noteNewFiles();
    return {
      content: [...writeContent(output), ...(watch ? linkArtifacts(artifacts.values()) : [])],
      ...structure(output.data),
      isError: output.isError,
    };
  } catch (error) {
    if (error instanceof McpError || extra.signal.aborted) throw error;
    if (error instanceof AtollError)
      return { content: [{ type: "text", text: `${name} failed: ${error.message}` }], isError: true };
    onDefect(error);
    throw new McpError(ErrorCode.InternalError, `${name} failed by a defect of the server`);
  } finally {
    await live.end();
  }
}
