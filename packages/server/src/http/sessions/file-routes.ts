import { posix } from "node:path";
import {
  contentQuery,
  dataAddedSchema,
  optionalSessionQuery,
  removedSchema,
  sessionBody,
  sessionFilesSchema,
  sessionQuery,
} from "@atoll/protocol/schemas";
import { rangedStatuses } from "../content/ranged.ts";
import { ApiError } from "../errors/api-error.ts";
import { giveFiles, receiveUploads } from "../uploads/attach-files.ts";
import { sessionHint } from "../uploads/quota.ts";
import { toWireFile } from "../wire.ts";
import { type RouteContext, uploadLimits } from "../api/route-context.ts";
import { answerFile } from "../files/routes.ts";
import { inSession, requireSessions } from "./session-request.ts";
import { uploadForm } from "../uploads/routes.ts";

const tag = "Sessions";
const moved = ["not_owner", "unavailable"] as const;
const inside = [
  "not_found",
  "not_a_file",
  "not_a_folder",
  "too_many_entries",
  "permission_denied",
  "sandbox_paused",
  "sandbox_dead",
  "runtime_unavailable",
  ...moved,
] as const;

/** Files by the name of a session. */
export function addSessionFileRoutes(context: RouteContext): void {
  const { api, services, config, counters } = context;

  api.add(
    {
      method: "post",
      path: "/files/upload",
      operationId: "uploadSessionFiles",
      tag,
      summary: "Upload files into a session: its code finds them in /data",
      query: optionalSessionQuery,
      rawBody: {
        ...uploadForm,
        schema: {
          ...uploadForm.schema,
          properties: { session_id: { type: "string" }, ...uploadForm.schema.properties },
        },
      },
      result: dataAddedSchema,
      errors: [
        ...moved,
        "not_found",
        "bad_request",
        "too_large",
        "unsupported_media_type",
        "disk_full",
        "request_timeout",
      ],
      curl: "-F session_id=my-session -F files=@your_data.csv",
    },
    async ({ c, query, signal }) => {
      const sessions = requireSessions(context);
      // Whose files they are may stand at the end of the form: what is free there is looked at when they are here.
      const room = { freeBytes: sessions.maxBytes, hint: sessionHint };
      const options = { ...uploadLimits(config), room, isTemporary: true, signal };
      const { kept, refused, fields } = await receiveUploads(c, services, options);
      const fileIds = kept.map(({ fileId }) => fileId);
      try {
        const sessionId = readSessionId(query.session_id ?? fields.get("session_id"));
        if (kept.length === 0 && refused[0]) throw refused[0].error;
        for (const { sizeBytes } of kept) counters.uploadedBytes += sizeBytes;
        const threadId = sessions.threadIdOf(sessionId);
        const led = await context.lead(c, threadId, {
          target: `/thread/${threadId}/data`,
          body: { file_ids: fileIds },
        });
        if (led) return led;
        const { id } = await sessions.open(sessionId);
        return await giveFiles(services, config, id, kept);
      } catch (error) {
        await services.uploads.removeIfUnused(fileIds);
        throw error;
      }
    },
  );

  api.add(
    {
      method: "get",
      path: "/files/list",
      operationId: "listSessionFiles",
      tag,
      summary: "The files of a session",
      query: sessionQuery,
      result: sessionFilesSchema,
      errors: inside,
    },
    ({ c, query, signal }) =>
      inSession(context, c, { sessionId: query.session_id }, async ({ id }) => {
        const { files, info } = await services.openSandbox(id);
        const folders = [info.paths.data, info.paths.workspace];
        const listed = await Promise.all(
          folders.map((path) => files.list(path, { recursive: true, signal })),
        );
        const found = listed.flat().filter(({ kind }) => kind === "file");
        return { session_id: query.session_id, thread_id: id, files: found.map(toWireFile) };
      }),
  );

  api.add(
    {
      method: "get",
      path: "/files/download",
      operationId: "downloadSessionFile",
      tag,
      summary: "A file of a session, or a range of it",
      description: "`path` is absolute inside, or relative to /data.",
      query: contentQuery.extend(sessionQuery.shape),
      otherResults: {
        "*/*": "The content, or the range asked for; its own type where it is harmless to show",
      },
      otherStatuses: rangedStatuses,
      errors: [...inside, "range_not_satisfiable"],
      hasHead: true,
    },
    ({ c, query, signal }) =>
      inSession(context, c, { sessionId: query.session_id }, async ({ id }) => {
        const { files, info } = await services.openSandbox(id);
        const path = posix.resolve(info.paths.data, query.path);
        return answerFile(c, files, path, { isDownload: query.download ?? true, signal });
      }),
  );

  api.add(
    {
      method: "post",
      path: "/files/clear",
      operationId: "clearSession",
      tag,
      summary: "End a session at once, with all its files",
      body: sessionBody,
      result: removedSchema,
      errors: moved,
      example: { session_id: "my-session" },
    },
    async ({ c, body }) => {
      const sessions = requireSessions(context);
      const threadId = sessions.threadIdOf(body.session_id);
      const led = await context.lead(c, threadId, { body });
      return led ?? { removed: await sessions.end(threadId) };
    },
  );
}

function readSessionId(given: string | undefined): string {
  const checked = sessionQuery.shape.session_id.safeParse(given);
  if (checked.success) return checked.data;
  throw new ApiError("invalid_argument", "session_id: must be 6 to 80 of A-Z a-z 0-9 _ -", {
    hint: "Send it as a field of the form, or in the address.",
  });
}
