import { serverListSchema } from "@atoll/protocol/schemas";
import type { RouteContext } from "../api/route-context.ts";

export function addOperatorServersRoute({ api, services }: RouteContext): void {
  api.add(
    {
      method: "get",
      path: "/operator/servers",
      operationId: "listServers",
      tag: "Operator",
      summary: "The servers of this installation, and how much each of them has",
      result: serverListSchema,
      errors: ["unavailable"],
    },
    async () => {
      const { cluster } = services;
      if (!cluster) return { servers: [] };
      return {
        servers: (await cluster.servers()).map((server) => ({
          server_id: server.id,
          url: server.url,
          started_at: server.startedAt,
          is_alive: server.isAlive,
          is_this: server.id === cluster.self.id,
          threads: server.threads,
          sandboxes: server.sandboxes,
        })),
      };
    },
  );
}
