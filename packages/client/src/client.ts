import { encodeForm, type NamedFile } from "./form.ts";
import type {
  Operations,
  Settings,
  SettingsChange,
  SettingsTestResult,
  SharedThread,
  UploadedFile,
  UploadResult,
} from "./generated.ts";
import { Browsers } from "./browsers.ts";
import { Operator } from "./operator.ts";
import { Sandboxes } from "./sandboxes.ts";
import { Sessions } from "./sessions.ts";
import { Threads } from "./threads.ts";
import { type CallOptions, type ClientOptions, type Request, Transport } from "./transport.ts";

/**
 * The HTTP API of an Atoll server. Runs wherever there is `fetch`. Every failure of the server is an `AtollApiError`.
 *
 *     const client = new AtollClient({ baseUrl: "http://localhost:8000" });
 *     const { thread_id } = await client.threads.create();
 *     for await (const event of client.threads.stream(thread_id, "Show me monthly trends")) …
 */
export class AtollClient {
  readonly threads: Threads;
  readonly sandboxes: Sandboxes;
  readonly browsers: Browsers;
  readonly operator: Operator;
  readonly sessions: Sessions;
  readonly #transport: Transport;

  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
    this.threads = new Threads(this.#transport);
    this.sandboxes = new Sandboxes(this.#transport);
    this.browsers = new Browsers(this.#transport);
    this.operator = new Operator(this.#transport);
    this.sessions = new Sessions(this.#transport);
  }

  /** Uploads files for new threads. Content may be a stream: then nothing of it is kept in memory. */
  upload(files: readonly NamedFile[], { signal }: CallOptions = {}): Promise<UploadResult> {
    const { body, headers } = encodeForm(files);
    return this.#transport.call("uploadFiles", { rawBody: body, headers, signal });
  }

  getUpload(fileId: string, { signal }: CallOptions = {}): Promise<UploadedFile> {
    return this.#transport.call("getUpload", { params: { file_id: fileId }, signal });
  }

  async removeUpload(fileId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call("deleteUpload", { params: { file_id: fileId }, signal });
  }

  /** A conversation under a link, for whoever has it. */
  shared(shareId: string, { signal }: CallOptions = {}): Promise<SharedThread> {
    return this.#transport.call("getShared", { params: { share_id: shareId }, signal });
  }

  /** In a browser: the server's cookie for its token. */
  async logIn(token: string, { signal }: CallOptions = {}): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await this.#transport.call("logInWithToken", { headers, signal });
  }

  settings({ signal }: CallOptions = {}): Promise<Settings> {
    return this.#transport.call("getSettings", { signal });
  }

  updateSettings(change: SettingsChange, { signal }: CallOptions = {}): Promise<Settings> {
    return this.#transport.call("updateSettings", { body: change, signal });
  }

  /** Whether key, address and model work. */
  testSettings(model?: string, { signal }: CallOptions = {}): Promise<SettingsTestResult> {
    return this.#transport.call("testSettings", { body: model === undefined ? {} : { model }, signal });
  }

  /** Any operation of the API by its name, for what has no method of its own here. */
  call<Name extends keyof Operations>(
    name: Name,
    request?: Request<Name>,
  ): Promise<Operations[Name]["result"]> {
    return this.#transport.call(name, request);
  }
}
