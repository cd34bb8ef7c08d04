type Stream = "stdout" | "stderr";

const INTERVAL_MS = 30;

/**
 * Passes on what running code prints: at once when it has been quiet, else gathered, so that a stream gives at most one
 * piece in each interval.
 */
export class LiveOutput {
  readonly #send: (stream: Stream, text: string) => void;
  readonly #waiting = new Map<Stream, string>();
  #timer: NodeJS.Timeout | undefined;
  /** Everything so far; the sandbox bounds it. */
  text = "";

  constructor(send: (stream: Stream, text: string) => void) {
    this.#send = send;
  }

  add(stream: Stream, text: string): void {
    this.text += text;
    this.#waiting.set(stream, (this.#waiting.get(stream) ?? "") + text);
    if (this.#timer === undefined) this.#sendWaiting();
  }

  /** Before anything else is shown, so that it does not overtake what was printed. */
  flush(): void {
    if (this.#waiting.size > 0) this.#sendWaiting();
  }

  end(): void {
    this.flush();
    clearTimeout(this.#timer);
  }

  #sendWaiting(): void {
    clearTimeout(this.#timer);
    for (const [stream, text] of this.#waiting) this.#send(stream, text);
    this.#waiting.clear();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush();
    }, INTERVAL_MS);
  }
}
