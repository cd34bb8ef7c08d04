export type FileContent = string | Blob | Uint8Array | ReadableStream<Uint8Array>;

export interface NamedFile {
  readonly name: string;
  readonly content: FileContent;
}

/** Files as a form. With a stream among them the form is a stream too, and is never in memory as a whole. */
export function encodeForm(files: readonly NamedFile[]): {
  body: RequestInit["body"];
  headers: Record<string, string>;
} {
  if (files.some(({ content }) => content instanceof ReadableStream)) return encodeStream(files);
  const form = new FormData();
  for (const { name, content } of files) {
    form.append("files", content instanceof Blob ? content : new Blob([content as string]), name);
  }
  return { body: form, headers: {} };
}

function encodeStream(files: readonly NamedFile[]) {
  const boundary = `atoll-${crypto.randomUUID()}`;
  const parts = writeParts(files, boundary);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void parts.return(undefined),
  });
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}

async function* writeParts(files: readonly NamedFile[], boundary: string): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const { name, content } of files) {
    const safe = name.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign));
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${safe}"\r\n`;
    yield encoder.encode(`${head}Content-Type: application/octet-stream\r\n\r\n`);
    const stream = content instanceof ReadableStream ? content : new Response(content as string).body;
    if (stream) yield* stream as unknown as AsyncIterable<Uint8Array>;
    yield encoder.encode("\r\n");
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}
