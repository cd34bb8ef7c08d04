import { posix } from "node:path";

/** Those that deepagents hands to a model as they are. */
const types: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".heic": "image/heic",
  ".heif": "image/heif",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".aiff": "audio/aiff",
  ".aac": "audio/aac",
  ".ogg": "audio/ogg",
  ".flac": "audio/flac",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".mpeg": "video/mpeg",
  ".mov": "video/quicktime",
  ".pdf": "application/pdf",
  ".ppt": "application/vnd.ms-powerpoint",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** Text as text; bytes where the name says what they are, or where they are no UTF-8. */
export function contentOf(path: string, bytes: Uint8Array): string | Uint8Array {
  if (typeByName(path) !== undefined) return bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

export function mimeOf(path: string, content: string | Uint8Array): string {
  return typeByName(path) ?? (typeof content === "string" ? "text/plain" : "application/octet-stream");
}

function typeByName(path: string): string | undefined {
  return types[posix.extname(path).toLowerCase()];
}
