/** Passes on the first bytes of a stream and remembers that there were more. */
export class Head {
  readonly limitBytes: number;
  readonly #sink: (chunk: Uint8Array) => void;
  #leftBytes: number;
  isCut = false;

  constructor(limitBytes: number, sink: (chunk: Uint8Array) => void) {
    this.limitBytes = limitBytes;
    this.#leftBytes = limitBytes;
    this.#sink = sink;
  }

  feed(chunk: Uint8Array): void {
    if (this.isCut) return;
    let part = chunk;
    if (chunk.length > this.#leftBytes) {
      this.isCut = true;
      part = wholeCharacters(chunk.subarray(0, this.#leftBytes));
    }
    this.#leftBytes -= part.length;
    if (part.length > 0) this.#sink(part);
  }
}

/** Without the beginning of a UTF-8 character whose rest was cut off. */
function wholeCharacters(chunk: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, chunk.length); back++) {
    const byte = chunk.at(-back) ?? 0;
    if (byte >= 0xc0) {
      const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      return size > back ? chunk.subarray(0, -back) : chunk;
    }
    if (byte < 0x80) return chunk;
  }
  return chunk;
}
