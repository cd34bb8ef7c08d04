/** Lines out of bytes that come in any pieces. Holds no more than one line's most bytes. */
export class LineSplitter {
  isOverfull = false;
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *split(bytes: Uint8Array): Generator<string> {
    let rest = bytes;
    for (let end = rest.indexOf(10); end >= 0 && !this.isOverfull; end = rest.indexOf(10)) {
      this.#hold(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (this.isOverfull) return;
      const line = Buffer.concat(this.#pieces).toString("utf8");
      [this.#pieces, this.#heldBytes] = [[], 0];
      yield line;
    }
    if (!this.isOverfull) this.#hold(rest);
  }

  #hold(piece: Uint8Array): void {
    this.#heldBytes += piece.length;
    this.isOverfull = this.#heldBytes > this.#maxBytes;
    if (this.isOverfull) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }
}
