import { z } from "zod";
import { readModelText } from "../../model-text.ts";
import type { Tool } from "../../tool.ts";
import { noServers } from "./no-servers.ts";
import { serverName } from "./server-name.ts";

const input = z.strictObject({
  server: serverName,
  tool: z.string().min(1).max(200).describe("The tool's name, as mcp_list_tools gives it"),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("The tool's arguments"),
});

export const mcpExecute: Tool<z.infer<typeof input>> = {
  name: "mcp_execute",
  description: readModelText(import.meta.url),
  input,
  isReadOnly: false,
  run: ({ server, tool, arguments: given }, { mcp = noServers, signal }) =>
    mcp.execute(server, tool, given, { signal }),
};
