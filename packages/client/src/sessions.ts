import { encodeForm, type NamedFile } from "./form.ts";
import type { Answer, SessionFiles, ThreadDataAdded } from "./generated.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** Temporary threads by names that the client chooses: the first use of one makes it. */
export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Waits for the whole answer; its `thread_id` leads to all that threads can do. */
  chat(sessionId: string, message: string, { signal }: CallOptions = {}): Promise<Answer> {
    return this.#transport.call("chat", { body: { session_id: sessionId, message }, signal });
  }

  upload(
    sessionId: string,
    files: readonly NamedFile[],
    { signal }: CallOptions = {},
  ): Promise<ThreadDataAdded> {
    const { body, headers } = encodeForm(files);
    const query = { session_id: sessionId };
    return this.#transport.call("uploadSessionFiles", { query, rawBody: body, headers, signal });
  }

  files(sessionId: string, { signal }: CallOptions = {}): Promise<SessionFiles> {
    return this.#transport.call("listSessionFiles", { query: { session_id: sessionId }, signal });
  }

  download(sessionId: string, path: string, { signal }: CallOptions = {}): Promise<Response> {
    return this.#transport.send("downloadSessionFile", { query: { session_id: sessionId, path }, signal });
  }

  /** Ends it at once. False when there was none. */
  async clear(sessionId: string, { signal }: CallOptions = {}): Promise<boolean> {
    return (await this.#transport.call("clearSession", { body: { session_id: sessionId }, signal })).removed;
  }
}
