import { userContentPolicy } from "../security/headers.ts";

/** What a browser may show by itself; everything else is a download. Types are by name, never by what is inside. */
const shown: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  avif: "image/avif",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  log: "text/plain; charset=utf-8",
  md: "text/plain; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  json: "application/json",
  jsonl: "text/plain; charset=utf-8",
  py: "text/plain; charset=utf-8",
  sql: "text/plain; charset=utf-8",
  yaml: "text/plain; charset=utf-8",
  yml: "text/plain; charset=utf-8",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  mp4: "video/mp4",
  webm: "video/webm",
};

const downloaded: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  htm: "text/html; charset=utf-8",
  pdf: "application/pdf",
  zip: "application/zip",
  gz: "application/gzip",
  ipynb: "application/x-ipynb+json",
  parquet: "application/vnd.apache.parquet",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The headers of something that users or sandboxes made. */
export function describeContent(
  name: string,
  options: { type?: string; isDownload?: boolean } = {},
): Record<string, string> {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const type = options.type ?? shown[ending] ?? downloaded[ending] ?? "application/octet-stream";
  const isShown = options.isDownload !== true && Object.values(shown).includes(type);
  return {
    "content-type": type,
    "content-disposition": `${isShown ? "inline" : "attachment"}${nameParameters(name)}`,
    "content-security-policy": userContentPolicy,
    "x-content-type-options": "nosniff",
  };
}

/** Plain ASCII for old clients, and RFC 5987 for the name as it is. */
function nameParameters(name: string): string {
  if (name === "") return "";
  const clean = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "_")
    .slice(0, 255)
    .toWellFormed();
  const ascii = clean.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** Images of the thread's blobs have no name, so their first bytes tell. */
export function sniffImage(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  return /^\s*(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/.test(text)
    ? "image/svg+xml"
    : undefined;
}
