import { tooLarge } from "../store/data-folder/hashed-file.ts";
import { cutOff, readBody, readHeader } from "./body-chunks.ts";
import type { UploadOptions, UploadRequest } from "./contract.ts";

/** Receives one file whose content is the request's whole body. It may be empty. */
export async function receiveBody<Kept>(
  request: UploadRequest,
  options: UploadOptions<Kept> & { readonly name: string },
): Promise<Kept> {
  const { maxBytes, signal = new AbortController().signal } = options;
  const length = readHeader(request, "content-length");
  const announcedBytes = length === undefined ? undefined : Number(length);
  if (announcedBytes !== undefined && announcedBytes > maxBytes) throw tooLarge(maxBytes);
  return options.sink.receive(options.name, checkLength(readBody(request.body), announcedBytes), {
    maxBytes,
    signal,
  });
}

async function* checkLength(
  content: AsyncIterable<Uint8Array>,
  announcedBytes: number | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.byteLength;
    yield chunk;
  }
  if (announcedBytes !== undefined && bytes < announcedBytes) throw cutOff();
}
