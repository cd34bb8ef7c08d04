import { removedSchema, restoredThreadSchema, threadParams, trashSchema } from "@atoll/protocol/schemas";
import { ApiError } from "../errors/api-error.ts";
import type { RouteContext } from "../api/route-context.ts";

const tag = "Threads";

/** Threads that were removed, by a user or for their age, and can be taken back. */
export function addTrashRoutes({ api, services }: RouteContext): void {
  const { threadTrash } = services;

  api.add(
    {
      method: "get",
      path: "/trash",
      operationId: "listTrash",
      tag,
      summary: "Threads in the trash, the latest first",
      description: "Removed by a user, or unused for ATOLL_DELETE_AFTER_DAYS. ATOLL_TRASH_DAYS is how long.",
      result: trashSchema,
    },
    async () => ({
      threads: (await threadTrash.list()).map((thread) => ({
        thread_id: thread.id,
        title: thread.title,
        message_count: thread.messageCount,
        created_at: thread.createdAt,
        trashed_at: thread.trashedAt,
        purge_at: new Date(Date.now() + Math.max(0, threadTrash.keepMs - thread.inTrashMs)).toISOString(),
      })),
    }),
  );

  api.add(
    {
      method: "post",
      path: "/trash/{thread_id}/restore",
      operationId: "restoreThread",
      tag,
      summary: "Take a thread back out of the trash, as it was",
      params: threadParams,
      result: restoredThreadSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      if (!(await threadTrash.restore(params.thread_id))) throw notInTrash();
      return { thread_id: params.thread_id, restored: true as const };
    },
  );

  api.add(
    {
      method: "delete",
      path: "/trash/{thread_id}",
      operationId: "purgeThread",
      tag,
      summary: "Remove a thread in the trash for good: its files and log",
      params: threadParams,
      result: removedSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      if (!(await threadTrash.purge(params.thread_id))) throw notInTrash();
      return { removed: true };
    },
  );
}

function notInTrash(): ApiError {
  return new ApiError("not_found", "there is no such thread in the trash", {
    hint: "GET /trash lists those that can be taken back.",
  });
}
