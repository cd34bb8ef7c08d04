/** Of a sandbox that is an MCP session's: without its server no client can come back to it, so that nobody adopts it. */
export const sessionLabel = "atoll.mcp";
