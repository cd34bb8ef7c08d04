import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";

/** A form with one file, sent at the pace of the test. */
export class SlowUpload {
  readonly #outgoing: ClientRequest;
  readonly #response: Promise<IncomingMessage>;

  constructor(url: string, name: string) {
    this.#outgoing = request(url, {
      method: "POST",
      agent: false,
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    });
    this.#response = once(this.#outgoing, "response").then(([response]) => response as IncomingMessage);
    this.#response.catch(() => {});
    this.#outgoing.on("error", () => {});
    const disposition = `Content-Disposition: form-data; name="files"; filename="${name}"`;
    this.#outgoing.write(`--${boundary}\r\n${disposition}\r\nContent-Type: text/plain\r\n\r\n`);
  }

  /** Resolves when the bytes have left. */
  async write(content: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => void this.#outgoing.write(content, () => resolve()));
  }

  async finish(): Promise<{ status: number; body: unknown }> {
    this.#outgoing.end(`\r\n--${boundary}--\r\n`);
    return this.answer();
  }

  /** May come before the end: a server that refuses does not have to read on. */
  async answer(): Promise<{ status: number; body: unknown }> {
    const response = await this.#response;
    return { status: response.statusCode ?? 0, body: JSON.parse(await readText(response)) };
  }
}

const boundary = "----atoll-slow-upload";
