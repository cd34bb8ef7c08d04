import { Readable } from "node:stream";
import { AtollError } from "@atoll/sandbox";
import type { UploadRequest } from "./contract.ts";

/**
 * A request's body. Whoever stops early leaves the connection as it is, so that an answer can still be sent on it; the
 * rest is not read.
 */
export async function* readBody(body: UploadRequest["body"]): AsyncGenerator<Uint8Array> {
  const iterable = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : body;
  const iterator = iterable[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((cause: unknown) => {
      throw cutOff(cause);
    });
    if (next.done) return;
    yield next.value as Uint8Array;
  }
}

export function cutOff(cause?: unknown): AtollError {
  return new AtollError("aborted", "The upload broke off before its end. Nothing of it was kept.", { cause });
}

export function readHeader(request: UploadRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
