/** Text that comes as bytes: the first `maxBytes` of it are told and kept. */
export class CappedText {
  isCut = false;
  /** Of all that came. */
  totalBytes = 0;
  readonly #decoder = new TextDecoder();
  readonly #tell: (text: string) => void;
  #leftBytes: number;
  #text = "";

  constructor(maxBytes: number, tell: (text: string) => void) {
    this.#leftBytes = maxBytes;
    this.#tell = tell;
  }

  add(bytes: Uint8Array): void {
    this.totalBytes += bytes.length;
    const kept = bytes.subarray(0, this.#leftBytes);
    this.isCut ||= kept.length < bytes.length;
    this.#leftBytes -= kept.length;
    this.#append(this.#decoder.decode(kept, { stream: true }));
  }

  end(): string {
    this.#append(this.isCut ? "" : this.#decoder.decode());
    return this.#text;
  }

  #append(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#tell(text);
  }
}
