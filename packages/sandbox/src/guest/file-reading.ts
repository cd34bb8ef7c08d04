import type { FileStat } from "../contract/files.ts";
import { AtollError } from "../errors.ts";
import { checkRange } from "./arguments.ts";
import type { Guest } from "./wire/guest.ts";

const chunkBytes = 1 << 18;
const requestsAhead = 8;

interface Range {
  offset?: number;
  length?: number;
  maxBytes?: number;
  signal?: AbortSignal;
}

/** A file's bytes from one open handle, with a few requests under way ahead of the reader. */
export async function* readChunks(
  guest: Guest,
  path: string,
  range: Range,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { maxBytes, signal } = range;
  const offset = checkRange("offset", range.offset ?? 0, 0);
  const length = range.length === undefined ? undefined : checkRange("length", range.length, 0);
  type Opened = { stat: FileStat; end: number; handle?: number };
  const { result, body } = await guest.call<Opened>("files.open", { path, offset, length }, { signal });
  const size = Math.max(0, result.end - offset);
  const handle = result.handle;
  try {
    if (maxBytes !== undefined && size > maxBytes) {
      throw new AtollError(
        "too_large",
        `${path} has ${size} bytes, more than ${maxBytes} (maxBytes): use readStream`,
      );
    }
    if (body.length > 0) yield body as Uint8Array<ArrayBuffer>;
    if (handle === undefined) return;
    const inFlight: Promise<Uint8Array>[] = [];
    let next = offset + body.length;
    while (next < result.end || inFlight.length > 0) {
      while (next < result.end && inFlight.length < requestsAhead) {
        const wanted = Math.min(chunkBytes, result.end - next);
        const chunk = guest.call("files.chunk", { handle, offset: next, length: wanted }, { signal });
        inFlight.push(chunk.then((reply) => reply.body));
        next += wanted;
      }
      const chunk = await settleFirst(inFlight);
      if (chunk.length === 0) return; // It became shorter meanwhile.
      yield chunk as Uint8Array<ArrayBuffer>;
    }
  } finally {
    if (handle !== undefined) await guest.call("files.close", { handle }).catch(() => {});
  }
}

/** Takes the first promise; should it fail, the others are not left to fail unheard. */
async function settleFirst<Item>(inFlight: Promise<Item>[]): Promise<Item> {
  try {
    return await (inFlight.shift() as Promise<Item>);
  } catch (error) {
    await Promise.allSettled(inFlight);
    throw error;
  }
}
