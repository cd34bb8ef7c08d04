/** Collects a byte stream and passes it on as text, with characters that span two chunks kept whole. */
export class TextCollector {
  readonly #chunks: Uint8Array[] = [];
  readonly #decoder = new TextDecoder();
  readonly #onText: ((text: string) => void) | undefined;

  constructor(onText?: (text: string) => void) {
    this.#onText = onText;
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    if (!this.#onText) return;
    const text = this.#decoder.decode(chunk, { stream: true });
    if (text) this.#onText(text);
  }

  /** Everything, once the stream has ended. */
  finish(): { bytes: Uint8Array; text: string } {
    const rest = this.#onText ? this.#decoder.decode() : "";
    if (rest) this.#onText?.(rest);
    const bytes = Buffer.concat(this.#chunks);
    return { bytes, text: bytes.toString("utf8") };
  }
}
