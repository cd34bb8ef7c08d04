import { answerSchema, chatBody } from "@atoll/protocol/schemas";
import { answerMessage, streamAnswer } from "../messages/conversation.ts";
import type { RouteContext } from "../api/route-context.ts";
import { inSession } from "./session-request.ts";

const tag = "Sessions";
const errors = ["not_found", "runtime_unavailable", "disk_full", "not_owner", "unavailable"] as const;
const example = { session_id: "my-session", message: "What are the top 5 categories by spend?" };

/** Messages by the name of a session. */
export function addChatRoutes(context: RouteContext): void {
  const { api } = context;

  api.add(
    {
      method: "post",
      path: "/chat",
      operationId: "chat",
      tag,
      summary: "Send a message in a session and wait for the whole answer",
      body: chatBody,
      result: answerSchema,
      errors,
      example,
    },
    ({ c, body, signal }) =>
      inSession(context, c, { sessionId: body.session_id, body }, ({ id }) =>
        answerMessage(context, id, body, signal),
      ),
  );

  api.add(
    {
      method: "post",
      path: "/chat/stream",
      operationId: "streamChat",
      tag,
      summary: "Send a message in a session and follow its answer as server-sent events",
      body: chatBody,
      otherResults: {
        "text/event-stream": "The events of the answer: `event:` is the type, `data:` a StoredEvent",
      },
      errors: [...errors, "shutting_down"],
      example,
      curl: "-N",
    },
    ({ c, body }) =>
      inSession(context, c, { sessionId: body.session_id, body }, ({ id }) =>
        streamAnswer(context, c, id, body),
      ),
  );
}
