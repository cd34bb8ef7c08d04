const MOST_INFLATED_BYTES = 100_000_000;

/**
 * Whether a PDF contains programs, which a browser's viewer would run: they could open dialogs in the name of this page.
 * A PDF in which they could be hidden from this check counts too.
 */
export async function hasPrograms(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const text = readNames(bytes);
  if (PROGRAMS.test(text)) return true;
  // Without object streams every object is in plain text.
  if (!text.includes("/ObjStm")) return false;
  if (otherFilters.test(text)) return true;
  let room = MOST_INFLATED_BYTES;
  for (const { from, to, isObjects } of findStreams(bytes)) {
    const inflated = await inflate(bytes.subarray(from, to), room);
    if (inflated === undefined && isObjects) return true;
    if (inflated === undefined) continue;
    room -= inflated.length;
    if (PROGRAMS.test(readNames(inflated))) return true;
  }
  return false;
}

const PROGRAMS = /\/(?:JS|JavaScript|XFA|Launch|RichMedia)(?![\w-])/;

/** Filters that only a PDF reader decodes. */
const otherFilters =
  /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85|LZWDecode|LZW|RunLengthDecode|RL|Crypt|Encrypt)(?![\w-])|\/Type\s+\d+\s+\d+\s+R/;

/** Any character of a name may be written as its hexadecimal code. */
function readNames(bytes: Uint8Array): string {
  return readLatin(bytes).replaceAll(/#([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** One character per byte. */
function readLatin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function findStreams(bytes: Uint8Array): { from: number; to: number; isObjects: boolean }[] {
  const text = readLatin(bytes);
  return [...text.matchAll(/(?<!end)stream\r?\n/g)].map(({ index, 0: mark }) => {
    const from = index + mark.length;
    const to = text.indexOf("endstream", from);
    const head = readNames(bytes.subarray(Math.max(text.lastIndexOf(" obj", index), index - 5000, 0), index));
    return { from, to: to < 0 ? bytes.length : to, isObjects: head.includes("/ObjStm") };
  });
}

/** Undefined if it is not deflated, is damaged or exceeds `room`. */
async function inflate(bytes: Uint8Array<ArrayBuffer>, room: number): Promise<Uint8Array | undefined> {
  const stream = new Blob([trimEnd(bytes)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > room) return undefined;
      parts.push(next.value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  } catch {
    return undefined;
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Without the line end before `endstream`. */
function trimEnd(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let end = bytes.length;
  if (bytes[end - 1] === 10) end -= 1;
  if (bytes[end - 1] === 13) end -= 1;
  return bytes.subarray(0, end);
}
