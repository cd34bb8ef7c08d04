import type { BlobStore } from "../../store/contract.ts";
import type { HttpContext } from "../environment.ts";
import { ApiError } from "../errors/api-error.ts";
import { describeContent, sniffImage } from "./content-types.ts";
import { answerContent } from "./ranged.ts";

const sniffedBytes = 512;

/** An image or artifact of a thread. Without a name, an image is known by its first bytes. */
export async function answerBlob(
  c: HttpContext,
  blobs: BlobStore,
  { threadId, hash }: { threadId: string; hash: string },
  options: { name: string; isDownload: boolean; cacheControl: string },
): Promise<Response> {
  const { name, isDownload, cacheControl } = options;
  const found = blobs.stat(threadId, hash);
  if (!found) throw new ApiError("not_found", "there is no such content in this thread");
  const head = { start: 0, end: Math.min(sniffedBytes, found.sizeBytes) - 1 };
  const type = name === "" ? await sniff(() => blobs.read(threadId, hash, head), found.sizeBytes) : undefined;
  return answerContent(c, {
    sizeBytes: found.sizeBytes,
    etag: `"${hash}"`,
    headers: {
      ...describeContent(name, { ...(type ? { type } : {}), isDownload }),
      "cache-control": cacheControl,
    },
    open: (range) => blobs.read(threadId, hash, range),
  });
}

async function sniff(open: () => ReadableStream<Uint8Array>, sizeBytes: number): Promise<string | undefined> {
  if (sizeBytes === 0) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of open()) chunks.push(chunk);
  return sniffImage(Buffer.concat(chunks));
}
