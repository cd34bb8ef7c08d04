import { leftSchema, threadParams } from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

export function addLeaveRoute({ api, services }: RouteContext): void {
  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/leave",
      operationId: "leaveThread",
      tag: "Threads",
      summary: "The page of a temporary thread is going away",
      description:
        "For `navigator.sendBeacon`: it needs neither a body nor a header. Unless something uses the thread again within `SESSION_LEAVE_S`, it ends; a page that is loaded anew takes that back by asking for its events. A run that is going is not cut. DELETE ends it at once.",
      params: threadParams,
      // What comes with a beacon is not looked at.
      rawBody: { type: "text/plain", schema: { type: "string" }, isOptional: true },
      result: leftSchema,
      errors: ["not_found", "invalid_argument"],
    },
    async ({ params }) => {
      const { id, temporary } = requireThread(services, params.thread_id);
      if (!temporary || !services.sessions) {
        throw new ApiError("invalid_argument", "this thread is not temporary: it stays when its page goes", {
          hint: "DELETE /thread/{thread_id} removes it.",
        });
      }
      await services.sessions.leave(id);
      const expiresAtMs = services.sessions.expiresAtMs(id) ?? Date.now();
      return { thread_id: id, expires_at: new Date(expiresAtMs).toISOString() };
    },
  );
}
