import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { readChunks } from "../api/body.ts";
import type { HttpContext } from "../environment.ts";
import type { BodyProof } from "./signature.ts";

/** The body of a request that is passed on. A small one is kept, so that it can be sent a second time. */
export type RequestBody =
  | { readonly kind: "kept"; readonly content: Buffer | undefined }
  | { readonly kind: "stream"; readonly content: IncomingMessage };

const keptBytes = 1024 * 1024;

export async function openBody(
  c: HttpContext,
  incoming: IncomingMessage,
  idleMs: number,
): Promise<RequestBody> {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  if (length === undefined && encoding === undefined) return { kind: "kept", content: undefined };
  if (length === undefined || Number(length) > keptBytes) return { kind: "stream", content: incoming };
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(c, { maxBytes: keptBytes, idleMs })) chunks.push(chunk);
  return { kind: "kept", content: Buffer.concat(chunks) };
}

/** Whether a body came exactly if one was signed. What it holds is compared when it has been read. */
export function isFramedAs(proof: BodyProof, headers: IncomingHttpHeaders): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return proof !== "none" || (encoding === undefined && length === "0");
}
