import type { ReadBlob } from "./blobs.ts";
import type { Call, Result } from "./calls.ts";
import { tableToHtml } from "./html-table.ts";

export type Output =
  | { output_type: "stream"; name: "stdout" | "stderr"; text: string }
  | { output_type: "display_data"; data: MimeBundle; metadata: Record<string, never> }
  | {
      output_type: "execute_result";
      data: MimeBundle;
      metadata: Record<string, never>;
      execution_count: number;
    }
  | { output_type: "error"; ename: string; evalue: string; traceback: string[] };

type MimeBundle = Record<string, unknown>;

/** What a call showed, as a notebook's outputs. */
export async function toOutputs(call: Call, executionCount: number, readBlob: ReadBlob): Promise<Output[]> {
  const outputs: Output[] = [];
  for (const shown of call.shown) {
    if (shown.kind === "stream") {
      outputs.push({ output_type: "stream", name: shown.stream, text: shown.text });
      continue;
    }
    const data = await toBundle(shown.result, readBlob);
    outputs.push(
      shown.result.is_main
        ? { output_type: "execute_result", data, metadata: {}, execution_count: executionCount }
        : { output_type: "display_data", data, metadata: {} },
    );
  }
  // Older logs, and runs whose live output was not kept, have the text at their end only.
  if (outputs.length === 0 && call.codeRun?.output && !call.codeRun.error)
    outputs.push({ output_type: "stream", name: "stdout", text: call.codeRun.output });
  const error = call.codeRun?.error;
  if (error) {
    const traceback = error.traceback.split("\n");
    outputs.push({ output_type: "error", ename: error.name, evalue: error.value, traceback });
  }
  return outputs;
}

async function toBundle(result: Result, readBlob: ReadBlob): Promise<MimeBundle> {
  const html = result.table ? tableToHtml(result.table) : result.html;
  const image = result.image && (await toImage(result.image, readBlob));
  const text = result.text ?? (result.image && !image ? "(an image that is no longer kept)" : undefined);
  const bundle: MimeBundle = {
    ...jsonForms(result.extra),
    ...(result.json === undefined ? {} : { "application/json": result.json }),
    ...(result.latex === undefined ? {} : { "text/latex": result.latex }),
    ...(result.markdown === undefined ? {} : { "text/markdown": result.markdown }),
    ...(html === undefined ? {} : { "text/html": html }),
    ...image,
    ...(text === undefined ? {} : { "text/plain": text }),
  };
  return Object.keys(bundle).length > 0 ? bundle : { "text/plain": "" };
}

async function toImage(
  image: { mime: string; url: string },
  readBlob: ReadBlob,
): Promise<MimeBundle | undefined> {
  const bytes = await readBlob(image.url);
  if (!bytes || !/^image\/[\w.+-]+$/.test(image.mime)) return undefined;
  const isText = image.mime === "image/svg+xml";
  return { [image.mime]: Buffer.from(bytes).toString(isText ? "utf8" : "base64") };
}

/** Of the further media types those that the format can hold: text, or JSON under a name that says so. */
function jsonForms(extra: Readonly<Record<string, unknown>> = {}): MimeBundle {
  const fitting = Object.entries(extra).filter(
    ([mime, value]) =>
      /^[\w.-]+\/[\w.+-]+$/.test(mime) && (typeof value === "string" || mime.endsWith("+json")),
  );
  return Object.fromEntries(fitting);
}
