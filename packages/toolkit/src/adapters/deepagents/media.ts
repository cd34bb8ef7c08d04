import { guessMime } from "@atoll/std";

/** Types that deepagents hands to a model as they are: pictures, sound, films, PDF, slides. */
const MODEL_MEDIA =
  /^(?:image\/(?!svg|bmp|tiff|vnd)|audio\/|video\/|application\/(?:pdf$|.*powerpoint$|.*presentation$))/;

/** Text as text; bytes if the name says that they are media, or if they are not UTF-8. */
export function contentOf(path: string, bytes: Uint8Array): string | Uint8Array {
  if (modelMediaType(path) !== undefined) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

export function mimeOf(path: string, content: string | Uint8Array): string {
  return modelMediaType(path) ?? (typeof content === "string" ? "text/plain" : "application/octet-stream");
}

function modelMediaType(path: string): string | undefined {
  const type = guessMime(path);
  return type !== undefined && MODEL_MEDIA.test(type) ? type : undefined;
}
