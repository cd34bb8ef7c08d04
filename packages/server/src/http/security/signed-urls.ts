import { createHmac } from "node:crypto";
import { isEqual } from "../../constant-time.ts";

export interface SignedBlob {
  readonly threadId: string;
  readonly hash: string;
  /** The file name it is downloaded under. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** An address that works without a token until it expires, for this thread, content and name only. */
export function signBlobUrl(blob: SignedBlob, key: Uint8Array): string {
  const query = new URLSearchParams({
    name: blob.name,
    expires: String(blob.expires),
    signature: sign(blob, key),
  });
  return `/thread/${blob.threadId}/blobs/${blob.hash}?${query}`;
}

export function isBlobSignatureValid(blob: SignedBlob, signature: string, key: Uint8Array): boolean {
  return isEqual(signature, sign(blob, key)) && Date.now() < blob.expires * 1000;
}

function sign({ threadId, hash, name, expires }: SignedBlob, key: Uint8Array): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(["blob", threadId, hash, name, expires]))
    .digest("base64url");
}
