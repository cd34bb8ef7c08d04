import type { CallOptions } from "../contract/call.ts";
import type { Files } from "../contract/files.ts";
import type { SandboxPaths } from "../contract/sandbox.ts";
import type { TreeContent, TreeEntry, TreePlace, TreeRefusal, TreeRoot, Trees } from "../contract/trees.ts";
import { AtollError } from "../errors.ts";
import { checkRange } from "./arguments.ts";
import { type Guest, withTimeout } from "./wire/guest.ts";

const defaultMaxEntries = 100_000;
const batchEntries = 1000;
const batchBytes = 4 * 1024 * 1024;
const maxPackedBytes = 64 * 1024 * 1024;

type Row = [TreeRoot, string, TreeEntry["kind"], number, number, number, string, string | null];
type Scanned = { fingerprint: string; entries: Row[] | null; skipped: [TreeRoot, string, string][] };

export function createTrees(guest: Guest, files: Files, paths: SandboxPaths): Trees {
  const unpackBatch = async (entries: readonly TreeContent[], isLast: boolean, options?: CallOptions) => {
    const body = isLast ? undefined : Buffer.concat(entries.map(contentOf));
    const rows = entries.map((entry) => toRequest(entry));
    const { result } = await guest.call<[number, string][]>(
      "trees.unpack",
      { entries: rows, isLast },
      { ...withTimeout(options), body },
    );
    return result.map(([number, reason]) => refuse(entries[number], reason));
  };
  return {
    async scan({ unless, maxEntries = defaultMaxEntries, ...options } = {}) {
      const { timeoutMs, signal } = withTimeout(options);
      const most = checkRange("maxEntries", maxEntries, 1);
      const params = { unless, maxEntries: most, timeoutMs };
      const { result } = await guest.call<Scanned>("trees.scan", params, { signal, timeoutMs });
      return {
        fingerprint: result.fingerprint,
        entries: result.entries?.map(toEntry),
        skipped: result.skipped.map(([root, path, reason]) => ({ root, path, reason })),
      };
    },
    async pack(entries, options) {
      const contents: (Uint8Array | undefined)[] = [];
      for (const { path, sizeBytes } of entries) {
        if (sizeBytes > maxPackedBytes)
          throw new AtollError("too_large", `${path} has ${sizeBytes} bytes: use files.readStream`);
      }
      for (const batch of inBatches(entries, ({ sizeBytes }) => sizeBytes)) {
        const wanted = batch.map(({ root, path, sizeBytes }) => [root, path, sizeBytes]);
        const { result, body } = await guest.call<number[]>(
          "trees.pack",
          { files: wanted },
          withTimeout(options),
        );
        const parts = [...cut(body, result)];
        contents.push(...batch.map(({ sizeBytes }, at) => unlessResized(parts[at], sizeBytes)));
      }
      return contents;
    },
    async unpack(entries, options) {
      const refused: TreeRefusal[] = [];
      const last: TreeContent[] = [];
      const small = function* (): Generator<TreeContent> {
        for (const entry of entries) {
          if (entry.kind === "folder" || isLarge(entry)) last.push(entry);
          if (!isLarge(entry)) yield entry;
        }
      };
      for (const batch of inBatches(small(), (entry) => contentOf(entry).length))
        refused.push(...(await unpackBatch(batch, false, options)));
      for (const entry of last.filter(isLarge)) {
        const failed = await writeLarge(files, paths, entry, options);
        if (failed) refused.push(failed);
      }
      const kept = last.filter((entry) => !refused.some((refusal) => isSamePlace(refusal, entry)));
      // The deepest first: a folder that is closed to writing also closes what is in it.
      for (const batch of inBatches(kept.toReversed(), () => 0))
        refused.push(...(await unpackBatch(batch, true, options)));
      return refused;
    },
  };
}

function toEntry([root, path, kind, mode, sizeBytes, modifiedUs, signature, linkTarget]: Row): TreeEntry {
  const entry = { root, path, kind, mode, sizeBytes, modifiedUs, signature };
  return linkTarget === null ? entry : { ...entry, linkTarget };
}

function toRequest(entry: TreeContent): unknown[] {
  const { root, path, kind, mode, modifiedUs, linkTarget } = entry;
  return [root, path, kind, mode, contentOf(entry).length, modifiedUs, linkTarget ?? null];
}

function contentOf({ content }: TreeContent): Uint8Array {
  return content instanceof Uint8Array ? content : new Uint8Array();
}

function isLarge({ content }: TreeContent): boolean {
  return typeof content === "function" || (content?.length ?? 0) > batchBytes;
}

async function writeLarge(
  files: Files,
  paths: SandboxPaths,
  entry: TreeContent,
  options: CallOptions = {},
): Promise<TreeRefusal | undefined> {
  const { root, path, content = new Uint8Array() } = entry;
  try {
    const data = typeof content === "function" ? content() : content;
    await files.write(`${paths[root]}/${path}`, data, { ...options, mode: entry.mode });
    return undefined;
  } catch (error) {
    if (!(error instanceof AtollError) || error.code === "sandbox_dead" || error.code === "aborted")
      throw error;
    return { root, path, reason: error.message };
  }
}

/** So many at a time, of at most so many bytes; one that is larger than that goes alone. */
function* inBatches<Item extends TreePlace>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item) + item.path.length;
    if (batch.length > 0 && (batch.length >= batchEntries || bytes + size > batchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function* cut(body: Uint8Array, sizes: readonly number[]): Generator<Uint8Array | undefined> {
  let offset = 0;
  for (const size of sizes) {
    yield size < 0 ? undefined : body.subarray(offset, offset + size);
    offset += Math.max(0, size);
  }
}

function unlessResized(content: Uint8Array | undefined, sizeBytes: number): Uint8Array | undefined {
  return content?.length === sizeBytes ? content : undefined;
}

function isSamePlace(one: TreePlace, other: TreePlace): boolean {
  return one.root === other.root && one.path === other.path;
}

function refuse(entry: TreeContent | undefined, reason: string): TreeRefusal {
  if (!entry) throw new AtollError("protocol_error", "the guest refused something that was not asked for");
  return { root: entry.root, path: entry.path, reason };
}
