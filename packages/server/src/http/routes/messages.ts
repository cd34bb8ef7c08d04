import { removedSchema } from "../../schemas/files.ts";
import { messageParams, threadParams } from "../../schemas/ids.ts";
import { answerSchema, messageBody, queuedMessageSchema, stopResultSchema } from "../../schemas/messages.ts";
import { ApiError } from "../errors/api-error.ts";
import { endOfAnswer } from "../readings/answer-end.ts";
import { readAnswer } from "../readings/answer.ts";
import { pump } from "../sse/pump.ts";
import { requireThread, type RouteContext } from "./route-context.ts";

const tag = "Messages";
const curl = `-d '{"message": "What are the top 5 categories by spend?"}'`;

export function addMessageRoutes({ api, services, config, channels }: RouteContext): void {
  const { log, runner } = services;
  const submit = (
    threadId: string,
    { message, mode }: { message: string; mode?: "queue" | "steer" | undefined },
  ) => {
    requireThread(services, threadId);
    if (message.length > config.maxInputChars) {
      throw new ApiError(
        "too_large",
        `the message has ${message.length} characters, more than ${config.maxInputChars}`,
        {
          hint: "Send it as a file: POST /upload or POST /thread/{thread_id}/files; or raise MAX_INPUT_CHARS.",
        },
      );
    }
    return runner.submit(threadId, { text: message, ...(mode ? { mode } : {}) });
  };

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
      curl,
    },
    async ({ params, body, signal }) => {
      const { messageId } = await submit(params.thread_id, body);
      const done = await runner.waitForDone(params.thread_id, messageId, signal);
      const types = ["result", "artifact", "error"] as const;
      return readAnswer(done, log.read(params.thread_id, { runId: done.run_id, types }));
    },
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
      curl: `-N ${curl}`,
    },
    async ({ c, params, body }) => {
      const { messageId, eventId } = await submit(params.thread_id, body);
      return channels.start(c, (channel) => {
        const lines = log.followLines(params.thread_id, { after: eventId - 1, signal: channel.signal });
        return pump(channel, lines, endOfAnswer(messageId));
      });
    },
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
      curl,
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
