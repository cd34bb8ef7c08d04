import type { BlobStore } from "../store/contract.ts";

/** An image's bytes by its address on this server; undefined when it is no longer kept or too large to embed. */
export type ReadBlob = (url: string) => Promise<Uint8Array | undefined>;

const maxEmbeddedBytes = 16 * 1024 * 1024;

export function blobReader(threadId: string, blobs: Pick<BlobStore, "stat" | "read">): ReadBlob {
  return async (url) => {
    const hash = /\/blobs\/([0-9a-f]{64})(?:[/?#]|$)/.exec(url)?.[1];
    const stat = hash === undefined ? undefined : blobs.stat(threadId, hash);
    if (hash === undefined || !stat || stat.sizeBytes > maxEmbeddedBytes) return undefined;
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of blobs.read(threadId, hash)) chunks.push(chunk);
      return Buffer.concat(chunks);
    } catch {
      return undefined;
    }
  };
}
