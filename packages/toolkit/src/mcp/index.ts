export { createElicitedApproval } from "./approvals.ts";
export { currentRequest } from "./current-request.ts";
export { type ConfiguredServers, openConfiguredServers } from "./configured-servers.ts";
export {
  isInitialization,
  type McpHttpSession,
  openMcpHttpSession,
  sessionHeader,
  writeHttpFailure,
} from "./http-session.ts";
export type { McpResources } from "./resources.ts";
export { createMcpServer, type McpServerOptions, type McpToolSession } from "./server.ts";
export type * from "./servers.ts";
export { serveStdio } from "./stdio.ts";
export { chooseTools } from "./tool-choice.ts";
export { createWorkspaceResources } from "./workspace-resources.ts";
export type { Server as McpServer } from "@modelcontextprotocol/sdk/server/index.js";
