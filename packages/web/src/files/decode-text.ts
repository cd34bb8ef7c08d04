/** How a file's bytes were decoded. Only `utf-8` can be written back without changing untouched parts. */
export type Encoding = "utf-8" | "other" | "binary";

/** `isCut`: more follows, so that a character at the end may be incomplete. */
export function decodeText(bytes: Uint8Array, isCut = false): { text: string; encoding: Encoding } {
  if (bytes.subarray(0, 65_536).includes(0)) return { text: "", encoding: "binary" };
  const plain = tryDecode("utf-8", bytes, isCut);
  if (plain !== undefined) return { text: plain, encoding: "utf-8" };
  // Chinese text that is not UTF-8 is nearly always GB 18030; other texts are hardly ever valid in it.
  const text = tryDecode("gb18030", bytes, isCut) ?? new TextDecoder("windows-1252").decode(bytes);
  const strange =
    text.match(/[\p{Cc}\p{Co}]/gu)?.filter((sign) => !"\t\n\r\f\v\u001B".includes(sign)).length ?? 0;
  return strange > text.length / 20 ? { text: "", encoding: "binary" } : { text, encoding: "other" };
}

function tryDecode(encoding: string, bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}
