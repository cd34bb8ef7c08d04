import {
  dataAddedSchema,
  newDataBody,
  threadDataQuery,
  threadDataSchema,
  threadParams,
} from "@atoll/protocol/schemas";
import { findGivenFiles, giveFiles, receiveUploads } from "../uploads/attach-files.ts";
import { describeData } from "./view.ts";
import { findRoom } from "../uploads/quota.ts";
import { requireThread, type RouteContext, uploadLimits } from "../api/route-context.ts";
import { uploadForm } from "../uploads/routes.ts";

const tag = "Threads";

/** What a thread works on. */
export function addThreadDataRoutes({ api, services, config, counters }: RouteContext): void {
  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/data",
      operationId: "getThreadData",
      tag,
      summary: "What the thread's files hold, and questions they can answer",
      params: threadParams,
      query: threadDataQuery,
      result: threadDataSchema,
      errors: ["not_found"],
    },
    ({ params, query }) =>
      describeData(services, requireThread(services, params.thread_id).id, query.language),
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/data",
      operationId: "addThreadData",
      tag,
      summary: "Give uploaded files to a thread that is there",
      description:
        "They are shown below /data, beside those it has; the first ones take the place of the bundled table. Tables among them are loaded, variables stay. While a message is being answered they wait for its end. The log gets a `data` event when they are read.",
      params: threadParams,
      body: newDataBody,
      result: dataAddedSchema,
      errors: ["not_found", "too_large", "disk_full"],
      example: { file_ids: ["<file_id>"] },
    },
    async ({ params, body }) => {
      const { id } = requireThread(services, params.thread_id);
      return giveFiles(services, config, id, await findGivenFiles(services, body.file_ids));
    },
  );

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/uploads",
      operationId: "uploadThreadData",
      tag,
      summary: "Upload files to a thread that is there",
      description:
        "As `POST /upload` and `POST /thread/{thread_id}/data` in one. What the thread has no room for is refused before it is received whole.",
      params: threadParams,
      rawBody: uploadForm,
      result: dataAddedSchema,
      errors: [
        "not_found",
        "bad_request",
        "invalid_argument",
        "too_large",
        "unsupported_media_type",
        "disk_full",
        "request_timeout",
      ],
      curl: "-F files=@your_data.csv",
    },
    async ({ c, params, signal }) => {
      const thread = requireThread(services, params.thread_id);
      const room = await findRoom(services, config, thread);
      const isTemporary = thread.temporary !== undefined;
      const options = { ...uploadLimits(config), room, isTemporary, signal };
      const { kept, refused } = await receiveUploads(c, services, options);
      if (kept.length === 0 && refused[0]) throw refused[0].error;
      for (const { sizeBytes } of kept) counters.uploadedBytes += sizeBytes;
      try {
        const added = await giveFiles(services, config, thread.id, kept);
        const errors = refused.map(({ name, error }) => ({
          filename: name,
          code: error.code,
          message: error.message,
        }));
        return { ...added, ...(errors.length > 0 ? { errors } : {}) };
      } catch (error) {
        await services.uploads.removeIfUnused(kept.map(({ fileId }) => fileId));
        throw error;
      }
    },
  );
}
