import type { TreeEntry } from "@atoll/sandbox";

/** Larger files are streamed, one by one. */
export const smallFileBytes = 1024 * 1024;

const partBytes = 16 * 1024 * 1024;
const partEntries = 500;

/** Small files in portions that may be held in memory. */
export function* inParts<Entry extends TreeEntry>(entries: readonly Entry[]): Generator<Entry[]> {
  let part: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (part.length === partEntries || (part.length > 0 && bytes + entry.sizeBytes > partBytes)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(entry);
    bytes += entry.sizeBytes;
  }
  if (part.length > 0) yield part;
}
