import { eventPageSchema, eventsQuery, threadParams } from "@atoll/protocol/schemas";
import type { HttpContext } from "../environment.ts";
import { lastEventId } from "../sse/last-event-id.ts";
import { pump } from "../sse/pump.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

export function addEventRoute({ api, services, channels }: RouteContext): void {
  const { log } = services;
  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/events",
      operationId: "followEvents",
      tag: "Messages",
      summary: "The thread's log, as server-sent events or as JSON pages",
      description:
        "The stored events after `after` (or `Last-Event-ID`), then those to come. With `follow=false` or `Accept: application/json`, only what is stored.",
      params: threadParams,
      query: eventsQuery,
      result: eventPageSchema,
      otherResults: { "text/event-stream": "Events: `event:` is the type, `data:` a StoredEvent" },
      errors: ["not_found", "shutting_down"],
      curl: "-N",
    },
    ({ c, params, query }) => {
      const { id } = requireThread(services, params.thread_id);
      const after = lastEventId(c) ?? query.after ?? 0;
      if (!isFollowing(c, query.follow)) {
        const limit = query.limit ?? 1000;
        const events = log.read(id, { after, limit: limit + 1 });
        const page = events.slice(0, limit);
        return {
          thread_id: id,
          events: [...page],
          next_after: page.at(-1)?.id ?? after,
          has_more: events.length > limit,
        };
      }
      return channels.start(c, (channel) =>
        pump(channel, log.followLines(id, { after, signal: channel.signal })),
      );
    },
  );
}

function isFollowing(c: HttpContext, follow: boolean | undefined): boolean {
  const accept = c.req.header("accept") ?? "";
  return follow ?? (!accept.includes("application/json") || accept.includes("text/event-stream"));
}
