import { removeLeftSandboxes } from "./own-sandbox.ts";
import type { McpRequestOptions, McpService, McpServiceParts } from "./service.ts";

/** Where MCP is spoken. The protocol's library is loaded with the first request: most servers never get one. */
export interface McpEndpoint {
  handle(request: Request, options: McpRequestOptions): Promise<Response>;
  /** No new sessions, and streams that wait for something end. */
  shut(): void;
  /** Sandboxes of sessions that ended with an earlier server. */
  removeLeft(): Promise<void>;
  close(): Promise<void>;
}

export function createMcpEndpoint(parts: McpServiceParts): McpEndpoint {
  let service: Promise<McpService> | undefined;
  let isShut = false;
  const load = async (): Promise<McpService> => {
    const { createMcpService } = await import("./service.ts");
    const loaded = createMcpService(parts);
    if (isShut) loaded.sessions.shut();
    return loaded;
  };
  return {
    async handle(request, options) {
      service ??= load();
      return (await service).handle(request, options);
    },
    shut() {
      isShut = true;
      void service?.then(({ sessions }) => sessions.shut());
    },
    removeLeft: () => removeLeftSandboxes(parts.apiSandboxes),
    async close() {
      await (await service)?.sessions.close();
    },
  };
}
