export { createElicitedApproval } from "./server/approvals.ts";
export { currentRequest } from "./server/current-request.ts";
export { type ConfiguredServers, openConfiguredServers } from "./client/configured-servers.ts";
export {
  isInitialization,
  type McpHttpSession,
  openMcpHttpSession,
  SESSION_HEADER,
  writeHttpFailure,
} from "./transport/http-session.ts";
export type { McpResources } from "./resources/resources.ts";
export { createMcpServer, type McpServerOptions, type McpToolSession } from "./server/server.ts";
export type * from "./client/servers.ts";
export { serveStdio } from "./transport/stdio.ts";
export { chooseTools } from "./server/tool-choice.ts";
export { createWorkspaceResources } from "./resources/workspace-resources.ts";
export type { Server as McpServer } from "@modelcontextprotocol/sdk/server/index.js";
