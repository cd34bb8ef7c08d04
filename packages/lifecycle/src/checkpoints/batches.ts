import type { TreeEntry } from "@atoll/sandbox";

/** Larger files are streamed, one by one. */
export const SMALL_FILE_BYTES = 1024 * 1024;

const BATCH_BYTES = 16 * 1024 * 1024;
const BATCH_ENTRIES = 500;

/** Splits small files into batches that fit into memory. */
export function* splitIntoBatches<Entry extends TreeEntry>(entries: readonly Entry[]): Generator<Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (batch.length === BATCH_ENTRIES || (batch.length > 0 && bytes + entry.sizeBytes > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += entry.sizeBytes;
  }
  if (batch.length > 0) yield batch;
}
