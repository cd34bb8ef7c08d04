import {
  sandboxParams,
  sandboxTrafficSchema,
  threadParams,
  threadTrafficSchema,
  trafficQuery,
} from "@atoll/protocol/schemas";
import type { NetworkEvent } from "../../network/traffic-log.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const usualLimit = 100;

export function addTrafficRoutes({ api, services }: RouteContext): void {
  const { log, apiSandboxes, recentTraffic } = services;

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/traffic",
      operationId: "getThreadTraffic",
      tag: "Threads",
      summary: "What its sandbox asked of the network, and what became of it",
      params: threadParams,
      query: trafficQuery,
      result: threadTrafficSchema,
      errors: ["not_found"],
    },
    ({ params, query }) => {
      const { id } = requireThread(services, params.thread_id);
      const events = log.read(id, { types: ["network"], last: query.limit ?? usualLimit });
      return {
        thread_id: id,
        traffic: events
          .flatMap((event) => (event.type === "network" ? [toEntry(event.at, event)] : []))
          .toReversed(),
      };
    },
  );

  api.add(
    {
      method: "get",
      path: "/sandboxes/{sandbox_id}/traffic",
      operationId: "getSandboxTraffic",
      tag: "Sandboxes",
      summary: "What it asked of the network, and what became of it",
      params: sandboxParams,
      query: trafficQuery,
      result: sandboxTrafficSchema,
      errors: ["not_found"],
    },
    async ({ params, query }) => {
      const { id } = await apiSandboxes.find(params.sandbox_id);
      const entries = recentTraffic.read(id, query.limit ?? usualLimit);
      return { sandbox_id: id, traffic: entries.map(({ at, event }) => toEntry(at, event)) };
    },
  );
}

function toEntry(at: string, event: NetworkEvent) {
  const { started_at, method, host, port, outcome, reason, count } = event;
  const { sent_bytes, received_bytes, duration_ms } = event;
  return {
    at,
    started_at,
    method,
    host,
    port,
    outcome,
    reason,
    count,
    sent_bytes,
    received_bytes,
    duration_ms,
  };
}
