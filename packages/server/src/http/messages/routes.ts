import {
  answerSchema,
  messageBody,
  messageParams,
  queuedMessageSchema,
  removedSchema,
  stopResultSchema,
  threadParams,
} from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import { answerMessage, type MessageText, streamAnswer, submitMessage } from "./conversation.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Messages";
const example = { message: "What are the top 5 categories by spend?" };

export function addMessageRoutes({ api, services, config, channels }: RouteContext): void {
  const { runner } = services;
  const conversation = { services, config, channels };
  const submit = (threadId: string, body: MessageText) => submitMessage(conversation, threadId, body);

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/message",
      operationId: "sendMessage",
      tag,
      summary: "Send a message and wait for the whole answer",
      description:
        "Closing the connection does not end the run: the answer is in the history and the events.",
      params: threadParams,
      body: messageBody,
      result: answerSchema,
      errors: ["not_found", "runtime_unavailable", "disk_full"],
      example,
    },
    ({ params, body, signal }) => answerMessage(conversation, params.thread_id, body, signal),
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/message/stream",
      operationId: "streamMessage",
      tag,
      summary: "Send a message and follow its answer as server-sent events",
      description:
        "Everything from that message on until its `done`. Closing the connection does not end the run; go on with GET /thread/{thread_id}/events and `Last-Event-ID`.",
      params: threadParams,
      body: messageBody,
      otherResults: {
        "text/event-stream": "The events of the answer: `event:` is the type, `data:` a StoredEvent",
      },
      errors: ["not_found", "runtime_unavailable", "disk_full", "shutting_down"],
      example,
      curl: "-N",
    },
    ({ c, params, body }) => streamAnswer(conversation, c, params.thread_id, body),
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/messages",
      operationId: "queueMessage",
      tag,
      summary: "Send a message without waiting for its answer",
      description: "It is on disk when this answers. GET /thread/{thread_id}/events tells what comes of it.",
      params: threadParams,
      body: messageBody,
      result: queuedMessageSchema,
      status: 202,
      errors: ["not_found", "disk_full"],
      example,
    },
    async ({ params, body }) => {
      const { messageId, eventId, position } = await submit(params.thread_id, body);
      return { thread_id: params.thread_id, message_id: messageId, event_id: eventId, position };
    },
  );

  api.add(
    {
      method: "delete",
      path: "/thread/{thread_id}/message/{message_id}",
      operationId: "withdrawMessage",
      tag,
      summary: "Take back a message that still waits",
      params: messageParams,
      result: removedSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      requireThread(services, params.thread_id);
      if (await runner.withdraw(params.thread_id, params.message_id)) return { removed: true };
      throw new ApiError("not_found", `no message ${params.message_id} waits in this thread`, {
        hint: "A message whose run has begun can only be stopped: POST /thread/{thread_id}/stop.",
      });
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/stop",
      operationId: "stopRun",
      tag,
      summary: "End what runs now; what was said so far stays",
      params: threadParams,
      result: stopResultSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      return { thread_id: id, was_running: await runner.stop(id) };
    },
  );
}
