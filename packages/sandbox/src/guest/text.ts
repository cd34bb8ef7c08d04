import { AtollError } from "../errors.ts";

const firstBytes = 4096;

/**
 * Collects a byte stream and passes it on as text, with characters that span two chunks kept whole. A guest that sends
 * more than the limit it was given breaks the protocol.
 */
export class TextCollector {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder();
  readonly #onText: ((text: string) => void) | undefined;
  /** Copied: a chunk may be a small part of a large frame, which it would keep in memory. */
  #bytes = Buffer.alloc(0);
  #size = 0;

  constructor(maxBytes: number, onText?: (text: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onText = onText;
  }

  push(chunk: Uint8Array): void {
    if (this.#size + chunk.length > this.#maxBytes)
      throw new AtollError("protocol_error", `the guest sent more than ${this.#maxBytes} bytes of output`);
    this.#reserve(this.#size + chunk.length);
    this.#bytes.set(chunk, this.#size);
    this.#size += chunk.length;
    if (!this.#onText) return;
    const text = this.#decoder.decode(chunk, { stream: true });
    if (text) this.#onText(text);
  }

  /** Everything, once the stream has ended. */
  finish(): { bytes: Uint8Array; text: string } {
    const rest = this.#onText ? this.#decoder.decode() : "";
    if (rest) this.#onText?.(rest);
    const bytes = this.#bytes.subarray(0, this.#size);
    return { bytes, text: bytes.toString("utf8") };
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.min(this.#maxBytes, Math.max(firstBytes, size, 2 * this.#bytes.length)));
    larger.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = larger;
  }
}
