import { z } from "zod";

export const serverName = z
  .string()
  .min(1)
  .max(64)
  .describe("The server's name, as mcp_list_servers gives it");
