import {
  artifactsQuery,
  artifactsSchema,
  blobParams,
  blobQuery,
  threadParams,
} from "@atoll/protocol/schemas";
import { answerBlob } from "../content/blob.ts";
import { rangedStatuses } from "../content/ranged.ts";
import { ApiError } from "../errors/api-error.ts";
import { readArtifacts } from "./view.ts";
import { isBlobSignatureValid } from "../security/signed-urls.ts";
import { requireThread, type RouteContext } from "../api/route-context.ts";

export function addArtifactRoutes({ api, services, config }: RouteContext): void {
  const { log, blobs } = services;

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/artifacts",
      operationId: "listArtifacts",
      tag: "Files",
      summary: "The files that runs made, each with its versions and a signed address",
      params: threadParams,
      query: artifactsQuery,
      result: artifactsSchema,
      errors: ["not_found"],
    },
    ({ params, query }) => {
      const { id } = requireThread(services, params.thread_id);
      const signing = { key: config.signingKey, ttlS: query.ttl_s ?? 600 };
      return { thread_id: id, artifacts: readArtifacts(id, log.read(id, { types: ["artifact"] }), signing) };
    },
  );

  api.add(
    {
      method: "get",
      path: "/thread/{thread_id}/blobs/{hash}",
      operationId: "getBlob",
      tag: "Files",
      summary: "An image or artifact by the hash of its content",
      description: "With `expires` and `signature`, as in a `signed_url`, it needs no token.",
      params: blobParams,
      query: blobQuery,
      otherResults: {
        "*/*": "The content, or the range asked for; its own type where it is harmless to show",
      },
      otherStatuses: rangedStatuses,
      errors: ["not_found", "range_not_satisfiable"],
      hasHead: true,
    },
    async ({ c, params, query }) => {
      const { thread_id: threadId, hash } = params;
      const { name = "", expires = 0, signature } = query;
      if (
        signature !== undefined &&
        !isBlobSignatureValid({ threadId, hash, name, expires }, signature, config.signingKey)
      ) {
        throw new ApiError("forbidden", "the address is no longer valid, or was changed", {
          hint: "Get a new one: GET /thread/{thread_id}/artifacts.",
        });
      }
      requireThread(services, threadId);
      return answerBlob(
        c,
        blobs,
        { threadId, hash },
        {
          name,
          isDownload: query.download ?? false,
          cacheControl: "private, max-age=31536000, immutable",
        },
      );
    },
  );
}
