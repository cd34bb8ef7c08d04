import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type LoggingLevel,
  LoggingLevelSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** What the client wants to be told. */
export interface LogLevel {
  isWanted(level: LoggingLevel): boolean;
}

/** Nothing is logged to a client that has not asked for it: what code prints comes with the result anyway. */
export function serveLogLevel(server: Server): LogLevel {
  const order = LoggingLevelSchema.options;
  let least = order.length;
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    least = order.indexOf(params.level);
    return {};
  });
  return { isWanted: (level) => order.indexOf(level) >= least };
}
