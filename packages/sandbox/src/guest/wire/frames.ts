import { parseBoundedJson } from "./bounded-json.ts";

/**
 * The wire between a client and a guest: two big-endian uint32 lengths, a JSON header of the first length, raw bytes of
 * the second. The guest's side is `atoll_guest/protocol.py`.
 */
export interface Frame {
  header: Record<string, unknown>;
  body: Uint8Array;
}

const prefixBytes = 8;
/**
 * The same in `atoll_guest/protocol.py`; a test compares them. Requests carry paths in batches and leave content to bodies.
 * Replies are larger: a scan of a tree lists up to 100,000 entries.
 */
export const MAX_REQUEST_HEADER_BYTES = 8 * 1024 * 1024;
export const MAX_REPLY_HEADER_BYTES = 48 * 1024 * 1024;
export const MAX_BODY_BYTES = 128 * 1024 * 1024;
const empty = new Uint8Array(0);

export function encodeFrame(header: Record<string, unknown>, body: Uint8Array = empty): Uint8Array[] {
  const head = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix.writeUInt32BE(head.length, 0);
  prefix.writeUInt32BE(body.length, 4);
  return body.length > 0 ? [Buffer.concat([prefix, head]), body] : [Buffer.concat([prefix, head])];
}

/** Turns chunks of any size into frames. Throws on what cannot be a frame. */
export class FrameDecoder {
  #chunks: Uint8Array[] = [];
  #size = 0;
  #wanted = prefixBytes;
  readonly #maxHeaderBytes: number;

  constructor({ maxHeaderBytes = MAX_REPLY_HEADER_BYTES }: { maxHeaderBytes?: number } = {}) {
    this.#maxHeaderBytes = maxHeaderBytes;
  }

  *push(chunk: Uint8Array): Generator<Frame> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#wanted) {
      const buffer = this.#joined();
      const headBytes = buffer.readUInt32BE(0);
      const bodyBytes = buffer.readUInt32BE(4);
      if (headBytes > this.#maxHeaderBytes || bodyBytes > MAX_BODY_BYTES)
        throw new RangeError(`a frame of ${headBytes} and ${bodyBytes} bytes is too large`);
      const end = prefixBytes + headBytes + bodyBytes;
      if (buffer.length < end) {
        this.#wanted = end;
        return;
      }
      const split = prefixBytes + headBytes;
      const header = parseBoundedJson(buffer.subarray(prefixBytes, split));
      if (typeof header !== "object" || header === null || Array.isArray(header))
        throw new TypeError("a header is an object");
      this.#replace(buffer.subarray(end));
      yield { header: header as Record<string, unknown>, body: buffer.subarray(split, end) };
    }
  }

  /** What has arrived beyond the last frame. */
  rest(): Uint8Array {
    return this.#joined();
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const whole =
      this.#chunks.length === 1 && first
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  #replace(rest: Uint8Array): void {
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#wanted = prefixBytes;
  }
}
