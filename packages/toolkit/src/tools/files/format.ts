export type FileFormat =
  | { readonly kind: "image"; readonly mime: string }
  | { readonly kind: "pdf" }
  | { readonly kind: "text"; readonly encoding: string };

/** What a file is, by its first 16 bytes. Its name is not asked: anybody can give one. */
export function sniffFormat(head: Uint8Array): FileFormat {
  const text = Buffer.from(head).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return { kind: "image", mime: "image/png" };
  if (text.startsWith("\xff\xd8\xff")) return { kind: "image", mime: "image/jpeg" };
  if (/^GIF8[79]a/.test(text)) return { kind: "image", mime: "image/gif" };
  if (/^RIFF[^]{4}WEBP/.test(text)) return { kind: "image", mime: "image/webp" };
  if (text.startsWith("%PDF-")) return { kind: "pdf" };
  if (text.startsWith("\xff\xfe")) return { kind: "text", encoding: "utf-16le" };
  if (text.startsWith("\xfe\xff")) return { kind: "text", encoding: "utf-16be" };
  return { kind: "text", encoding: "utf-8" };
}
