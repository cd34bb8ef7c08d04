import { codeBody, queuedMessageSchema, threadParams } from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

export function addCodeRoute({ api, services, config }: RouteContext): void {
  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/code",
      operationId: "runCode",
      tag: "Messages",
      summary: "Run code in the thread's own kernel, without a model",
      description:
        "A turn of its own: it waits its turn like a message, and its events are those of a tool call, in a run whose model is `you`. Nobody is asked for approval. GET /thread/{thread_id}/events tells what comes of it; the next message's model is told too.",
      params: threadParams,
      body: codeBody,
      result: queuedMessageSchema,
      status: 202,
      errors: ["not_found", "busy", "disk_full"],
      example: { code: "df.describe()" },
    },
    async ({ params, body: { code, language = "python" } }) => {
      const { id } = requireThread(services, params.thread_id);
      if (code.length > config.maxInputChars) {
        throw new ApiError(
          "too_large",
          `the code has ${code.length} characters, more than ${config.maxInputChars}`,
          { hint: "Write it to a file and import or run that: PUT /thread/{thread_id}/files/content." },
        );
      }
      const { messageId, eventId, position } = await services.runner.submit(id, { text: code, language });
      return { thread_id: id, message_id: messageId, event_id: eventId, position };
    },
  );
}
