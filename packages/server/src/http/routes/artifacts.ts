import { artifactsQuery, artifactsSchema, blobQuery } from "../../schemas/artifacts.ts";
import { blobParams, threadParams } from "../../schemas/ids.ts";
import { describeContent, sniffImage } from "../content/content-types.ts";
import { answerContent, rangedStatuses } from "../content/ranged.ts";
import { ApiError } from "../errors/api-error.ts";
import { readArtifacts } from "../readings/artifacts.ts";
import { isBlobSignatureValid } from "../security/signed-urls.ts";
import { requireThread, type RouteContext } from "./route-context.ts";

const sniffedBytes = 512;

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
      otherResults: { "application/octet-stream": "The content, or the range asked for" },
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
      const found = blobs.stat(threadId, hash);
      if (!found) throw new ApiError("not_found", "there is no such content in this thread");
      const type =
        name === ""
          ? await sniff(
              () =>
                blobs.read(threadId, hash, { start: 0, end: Math.min(sniffedBytes, found.sizeBytes) - 1 }),
              found.sizeBytes,
            )
          : undefined;
      return answerContent(c, {
        sizeBytes: found.sizeBytes,
        etag: `"${hash}"`,
        headers: {
          ...describeContent(name, {
            ...(type ? { type } : {}),
            isDownload: query.download ?? false,
          }),
          "cache-control": "private, max-age=31536000, immutable",
        },
        open: (range) => blobs.read(threadId, hash, range),
      });
    },
  );
}

async function sniff(open: () => ReadableStream<Uint8Array>, sizeBytes: number): Promise<string | undefined> {
  if (sizeBytes === 0) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of open()) chunks.push(chunk);
  return sniffImage(Buffer.concat(chunks));
}
