import { AtollError } from "@atoll/sandbox";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  type ReadResourceResult,
  ReadResourceRequestSchema,
  type Resource,
  type ResourceTemplate,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** What a client can read beside calling tools. */
export interface McpResources {
  list(signal: AbortSignal): Promise<readonly Resource[]>;
  readonly templates: readonly ResourceTemplate[];
  /** Rejects with an `McpError`. */
  read(uri: string, signal: AbortSignal): Promise<ReadResourceResult["contents"]>;
  /** Another text means another content; undefined: it is not there. */
  version(uri: string): Promise<string | undefined>;
}

export interface ResourceWatch {
  noteNewFiles(): void;
  /** After a call: tells the client of what it has subscribed to and that has changed. */
  look(): Promise<void>;
}

const MOST_SUBSCRIPTIONS = 100;

/** Subscriptions cost no watch in the sandbox: what a call has changed is seen when it ends. */
export function serveResources(
  server: Server,
  resources: McpResources,
  onDefect: (error: unknown) => void,
): ResourceWatch {
  const subscribed = new Map<string, string | undefined>();
  server.setRequestHandler(ListResourcesRequestSchema, async (_, { signal }) => ({
    resources: [...(await guard(resources.list(signal), onDefect))],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...resources.templates],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => ({
    contents: await guard(resources.read(params.uri, signal), onDefect),
  }));
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    if (subscribed.size >= MOST_SUBSCRIPTIONS)
      throw new McpError(ErrorCode.InvalidParams, `at most ${MOST_SUBSCRIPTIONS} subscriptions`);
    subscribed.set(uri, await guard(resources.version(uri), onDefect));
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  let hasNewFiles = false;
  return {
    noteNewFiles: () => void (hasNewFiles = true),
    async look() {
      try {
        if (hasNewFiles) await server.sendResourceListChanged();
        hasNewFiles = false;
        for (const [uri, before] of subscribed) {
          const now = await resources.version(uri);
          if (now === before || !subscribed.has(uri)) continue;
          subscribed.set(uri, now);
          await server.sendResourceUpdated({ uri });
        }
      } catch (error) {
        // The client has gone meanwhile.
        if (server.transport) onDefect(error);
      }
    },
  };
}

/** Reports unexpected errors to the operator and hides them from the client. */
async function guard<Result>(work: Promise<Result>, onDefect: (error: unknown) => void): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof McpError) throw error;
    if (error instanceof AtollError) throw new McpError(ErrorCode.InternalError, error.message);
    onDefect(error);
    throw new McpError(ErrorCode.InternalError, "a defect of the server");
  }
}
