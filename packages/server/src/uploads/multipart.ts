import { once } from "node:events";
import type { Readable } from "node:stream";
import { AtollError } from "@atoll/sandbox";
import busboy from "busboy";
import { cutOff, readBody, readHeader } from "./body-chunks.ts";
import type { UploadOptions, UploadRequest } from "./contract.ts";

export interface ReceivedFiles<Kept> {
  /** In the order of the form. */
  readonly kept: readonly Kept[];
  /** Files that were passed over while the others were kept. */
  readonly refused: readonly { readonly name: string; readonly error: AtollError }[];
  /** Its other fields; of one that comes twice, the first. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Receives the files of a form as they come in, in constant memory. A form that is not what it should be, one file that
 * is too large, or a sender that goes away fails the whole request, and nothing of it stays. The rest of such a body is
 * not read: the caller answers and closes the connection.
 */
export async function receiveUploads<Kept>(
  request: UploadRequest,
  options: UploadOptions<Kept> & { readonly maxFiles: number },
): Promise<ReceivedFiles<Kept>> {
  const reception = new Reception(openForm(request, options.maxFiles), options);
  try {
    await reception.read(readBody(request.body));
    return await reception.collect();
  } catch (error) {
    await reception.discard(error);
    throw error;
  }
}

type Received<Kept> = { kept: Kept } | { refused: { name: string; error: AtollError } };

class Reception<Kept> {
  readonly #form: busboy.Busboy;
  readonly #options: UploadOptions<Kept> & { readonly maxFiles: number };
  readonly #receiving: Promise<Received<Kept>>[] = [];
  readonly #fields = new Map<string, string>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;

  constructor(form: busboy.Busboy, options: UploadOptions<Kept> & { readonly maxFiles: number }) {
    this.#form = form;
    this.#options = options;
    this.#failed.promise.catch(() => {});
    this.#signal = options.signal
      ? AbortSignal.any([options.signal, this.#abort.signal])
      : this.#abort.signal;
    const fail = (error: unknown) => this.#failed.reject(error);
    this.#signal.addEventListener("abort", () => fail(cutOff(this.#signal.reason)), { once: true });
    form
      .on("file", (field, content, { filename }) => this.#onFile(field, content, filename))
      .on("field", (name, value) => {
        if (!this.#fields.has(name)) this.#fields.set(name, value);
      })
      .on("error", (cause) => fail(toFormError(cause)))
      .on("filesLimit", () => fail(invalid(`More than ${options.maxFiles} files in one request.`)))
      .on("fieldsLimit", () => fail(invalid("Too many fields in the form.")))
      .on("partsLimit", () => fail(invalid("Too many parts in the form.")));
  }

  async read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const closed = once(this.#form, "close");
    closed.catch(() => {});
    const pumped = this.#pump(body);
    pumped.catch(() => {});
    await Promise.race([pumped, this.#failed.promise]);
    await Promise.race([closed, this.#failed.promise]);
  }

  async collect(): Promise<ReceivedFiles<Kept>> {
    const received = await Promise.race([Promise.all(this.#receiving), this.#failed.promise]);
    if (received.length === 0) throw invalid("The form has no file in a field called files.");
    return {
      kept: received.flatMap((each) => ("kept" in each ? [each.kept] : [])),
      refused: received.flatMap((each) => ("refused" in each ? [each.refused] : [])),
      fields: this.#fields,
    };
  }

  async discard(reason: unknown): Promise<void> {
    this.#abort.abort(reason);
    this.#form.destroy();
    for (const outcome of await Promise.allSettled(this.#receiving)) {
      if (outcome.status === "fulfilled" && "kept" in outcome.value) {
        await this.#options.sink.discard(outcome.value.kept);
      }
    }
  }

  async #pump(body: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of body) {
      if (this.#signal.aborted) return;
      if (!this.#form.write(chunk)) await once(this.#form, "drain", { signal: this.#signal });
    }
    this.#form.end();
  }

  #onFile(field: string | undefined, content: Readable, filename: string | undefined): void {
    content.on("error", () => {});
    if (field !== "files" && field !== "file") {
      this.#failed.reject(
        invalid(`The field of a file must be called files, not ${JSON.stringify(field ?? "")}.`),
      );
    }
    // What a browser sends for a file that was not chosen.
    if (this.#signal.aborted || filename === undefined || filename === "") return void content.resume();
    const receiving = this.#receive(filename, content);
    receiving.catch((error: unknown) => this.#failed.reject(error));
    this.#receiving.push(receiving);
  }

  async #receive(name: string, content: Readable): Promise<Received<Kept>> {
    const { sink, maxBytes } = this.#options;
    const file = new NonEmpty(content);
    try {
      return { kept: await sink.receive(name, file, { maxBytes, signal: this.#signal }) };
    } catch (error) {
      if (file.isEmpty) return { refused: { name, error: invalid("The file is empty.") } };
      throw toFormError(error);
    }
  }
}

/** Fails at its end when nothing came, so that a sink keeps nothing. */
class NonEmpty implements AsyncIterable<Uint8Array> {
  readonly #content: Readable;
  isEmpty = false;

  constructor(content: Readable) {
    this.#content = content;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let hasContent = false;
    for await (const chunk of this.#content) {
      hasContent = true;
      yield chunk as Uint8Array;
    }
    if (hasContent) return;
    this.isEmpty = true;
    throw invalid("The file is empty.");
  }
}

function openForm(request: UploadRequest, maxFiles: number): busboy.Busboy {
  const type = readHeader(request, "content-type") ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw invalid("Files have to come as multipart/form-data, e.g. curl -F files=@data.csv.");
  }
  try {
    return busboy({
      headers: { "content-type": type },
      defParamCharset: "utf8",
      limits: { files: maxFiles, fields: maxFields, fieldSize: 65_536, headerPairs: 100 },
    });
  } catch (cause) {
    throw new AtollError("invalid_argument", "The form's content type names no boundary.", { cause });
  }
}

const maxFields = 100;

function invalid(message: string): AtollError {
  return new AtollError("invalid_argument", message);
}

/** The form's own failures are plain errors: it ends too early, or is no form. */
function toFormError(cause: unknown): AtollError {
  if (cause instanceof AtollError) return cause;
  const isCut = cause instanceof Error && /unexpected end|premature|aborted/i.test(cause.message);
  return isCut ? cutOff(cause) : new AtollError("invalid_argument", "The form cannot be read.", { cause });
}
