import type { z } from "zod";
import {
  newShareBody,
  removedSchema,
  sharedBlobParams,
  sharedBlobQuery,
  sharedParams,
  sharedThreadSchema,
  shareListSchema,
  shareParams,
  shareSchema,
  threadParams,
} from "@atoll/protocol/schemas";
import { ThreadShares } from "../../shares/thread-shares.ts";
import type { ShareRecord } from "../../store/shares/contract.ts";
import { answerBlob } from "../content/blob.ts";
import { rangedStatuses } from "../content/ranged.ts";
import { ApiError } from "../errors/api-error.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

const tag = "Threads";

/** Links under which anybody may read a conversation, as it was at one moment. */
export function addShareRoutes({ api, services }: RouteContext): void {
  const shares = new ThreadShares(services);

  api.add(
    {
      method: "post",
      path: "/thread/{thread_id}/share",
      operationId: "shareThread",
      tag,
      summary: "Make a link under which anybody can read the conversation as it is now",
      description:
        "Up to its last answer that has ended, with its images and files; what comes later is not shown. Sharing again moves the link on. Whoever has the link needs no token; DELETE takes it back.",
      params: threadParams,
      body: newShareBody.optional(),
      example: { is_new: true },
      result: shareSchema,
      errors: ["not_found", "disk_full"],
    },
    async ({ params, body }) => {
      const thread = requireThread(services, params.thread_id);
      return toWire(await shares.share(thread, { isNew: body?.is_new ?? false }));
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/shares",
      operationId: "listShares",
      tag,
      summary: "The links to this thread",
      params: threadParams,
      result: shareListSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      return { thread_id: id, shares: (await shares.list(id)).map(toWire) };
    },
  );

  api.add(
    {
      method: "delete",
      path: "/thread/{thread_id}/shares/{share_id}",
      operationId: "deleteShare",
      tag,
      summary: "Take a link back: it leads nowhere from now on",
      params: shareParams,
      result: removedSchema,
      errors: ["not_found"],
    },
    async ({ params }) => {
      const { id } = requireThread(services, params.thread_id);
      if (await shares.remove(id, params.share_id)) return { removed: true };
      throw new ApiError("not_found", "this thread has no such link", {
        hint: "GET /thread/{thread_id}/shares lists those that are there.",
      });
    },
  );

  api.add(
    {
      method: "get",
      path: "/shared/{share_id}",
      operationId: "getShared",
      tag,
      summary: "A shared conversation, to be read",
      params: sharedParams,
      result: sharedThreadSchema,
      errors: ["not_found", "rate_limited"],
      isPublic: true,
    },
    async ({ c, params }) => {
      const shared = await shares.read(params.share_id);
      if (!shared) throw notShared();
      const { share, content } = shared;
      const head = JSON.stringify({ share_id: share.shareId, shared_at: share.sharedAt });
      const body = Buffer.concat([Buffer.from(`${head.slice(0, -1)},`), content.subarray(1)]);
      return c.body(body, 200, { "content-type": "application/json", "x-robots-tag": "noindex" });
    },
  );

  api.add(
    {
      method: "get",
      path: "/shared/{share_id}/blobs/{hash}",
      operationId: "getSharedBlob",
      tag,
      summary: "An image or file of a shared conversation",
      params: sharedBlobParams,
      query: sharedBlobQuery,
      otherResults: {
        "*/*": "The content, or the range asked for; its own type where it is harmless to show",
      },
      otherStatuses: rangedStatuses,
      errors: ["not_found", "range_not_satisfiable", "rate_limited"],
      isPublic: true,
      hasHead: true,
    },
    async ({ c, params, query }) => {
      const { share_id: shareId, hash } = params;
      const threadId = await shares.findThread(shareId, hash);
      if (threadId === undefined) throw notShared();
      c.header("x-robots-tag", "noindex");
      // Asked for again each time: a link that was taken back leads nowhere.
      const options = {
        name: query.name ?? "",
        isDownload: query.download ?? false,
        cacheControl: "private, no-cache",
      };
      return answerBlob(c, services.blobs, { threadId, hash }, options);
    },
  );
}

function toWire({ shareId, createdAt, sharedAt }: ShareRecord): z.infer<typeof shareSchema> {
  return {
    share_id: shareId,
    url: `/ui/shared#/shared/${shareId}`,
    created_at: createdAt,
    shared_at: sharedAt,
  };
}

function notShared(): ApiError {
  return new ApiError("not_found", "there is nothing under this link", {
    hint: "It may have been taken back. Ask whoever gave it to you for a new one.",
  });
}
