const quote = 0x22;
const backslash = 0x5c;
const defaultBounds: JsonBounds = { maxDepth: 64, maxParts: 1_500_000 };

export interface JsonBounds {
  readonly maxDepth: number;
  /** Of lists, objects and their keys, each of which takes many times the memory that its text takes. */
  readonly maxParts: number;
}

/** Parses JSON that somebody else wrote. What is nested too deep, or made of too many parts, is refused unparsed. */
export function parseBoundedJson(source: Uint8Array, bounds: JsonBounds = defaultBounds): unknown {
  return parseCountedJson(source, bounds).value;
}

/** The same, and of how many parts it is made. */
export function parseCountedJson(
  source: Uint8Array,
  { maxDepth, maxParts }: JsonBounds,
): { value: unknown; parts: number } {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        at = endOfText(bytes, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        parts++;
        if (++depth > maxDepth) throw new RangeError(`JSON is nested deeper than ${maxDepth}`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x3a: // :
        parts++;
        break;
    }
    if (parts > maxParts) throw new RangeError(`JSON has more than ${maxParts} lists, objects and keys`);
  }
  return { value: JSON.parse(bytes.toString("utf8")), parts };
}

/** The place of the closing quote. */
function endOfText(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
