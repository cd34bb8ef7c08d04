import {
  AtollError,
  isTransientContext,
  type SandboxHandle,
  type TreeEntry,
  type TreeRefusal,
} from "@atoll/sandbox";
import type { CheckpointStore } from "./checkpoint-store.ts";
import type { Checkpoint, KeptEntry, KeptVariables, Manifest } from "./contract.ts";
import { inParts, smallFileBytes } from "./batches.ts";

export interface RecordingOptions {
  readonly turnId: string;
  readonly takenAt: string;
  /** Of everything that is kept of the thread. */
  readonly budgetBytes: number;
  /** The kernels have done nothing since the latest checkpoint. */
  readonly areVariablesUnchanged: boolean;
  /** Variables that take longer than this are not kept. */
  readonly timeoutMs: number;
  /** Something runs in it that may write at any moment. */
  readonly isAtWork: boolean;
}

const looks = 3;
/** One checkpoint's files take at most half of the budget, one file a quarter, one kernel's variables a quarter. */
const filesShare = 0.5;
const fileShare = 0.25;
const variablesShare = 0.25;

/** Records a sandbox in which nothing is begun meanwhile. Unchanged files cost one look at their times. */
export async function recordCheckpoint(
  handle: SandboxHandle,
  store: CheckpointStore,
  options: RecordingOptions,
): Promise<Checkpoint> {
  const { turnId, takenAt, budgetBytes } = options;
  const before = await store.latest();
  const { hash, manifest, isExact } = await recordFiles(handle, store, before, budgetBytes);
  const variables =
    options.areVariablesUnchanged && before
      ? before.variables
      : await recordVariables(handle, store, options);
  const kept = manifest.entries.filter((entry) => entry.hash !== undefined);
  const files = {
    count: kept.length,
    bytes: kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    notKept: manifest.notKept.length,
  };
  const facts = { turnId, takenAt, manifest: hash, files, variables };
  const checkpoint = await store.add({ ...facts, isExact: isExact && !options.isAtWork });
  await store.thin(budgetBytes);
  return checkpoint;
}

interface RecordedFiles {
  readonly hash: string;
  readonly manifest: Manifest;
  readonly isExact: boolean;
}

/** Looks again after reading: what changed in between is read once more, a few times. */
async function recordFiles(
  handle: SandboxHandle,
  store: CheckpointStore,
  before: Checkpoint | undefined,
  budgetBytes: number,
): Promise<RecordedFiles> {
  let known = before && (await store.readManifest(before.manifest));
  let hash = known && before?.manifest;
  for (let look = 0; ; look++) {
    const scan = await handle.trees.scan(known ? { unless: known.fingerprint } : {});
    if (!scan.entries && known && hash) return { hash, manifest: known, isExact: true };
    if (look === looks && known && hash) return { hash, manifest: known, isExact: false };
    known = await keepFiles(handle, store, scan.entries ?? [], { scan, known, budgetBytes });
    hash = await store.putManifest(known);
  }
}

async function keepFiles(
  handle: SandboxHandle,
  store: CheckpointStore,
  entries: readonly TreeEntry[],
  {
    scan,
    known,
    budgetBytes,
  }: {
    scan: { fingerprint: string; skipped: readonly TreeRefusal[] };
    known: Manifest | undefined;
    budgetBytes: number;
  },
): Promise<Manifest> {
  const hashes = new Map(known?.entries.map((entry) => [keyOf(entry), entry.hash]));
  const notKept: TreeRefusal[] = [...scan.skipped];
  const refuse = ({ root, path }: TreeEntry, reason: string) => void notKept.push({ root, path, reason });
  const wanted = withinBudget(entries, budgetBytes, refuse);
  const fresh = wanted.filter((entry) => !hashes.get(keyOf(entry)));
  await store.thin(budgetBytes - fresh.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));

  const found = new Map<TreeEntry, string>();
  const small = fresh.filter(({ sizeBytes }) => sizeBytes <= smallFileBytes);
  for (const part of inParts(small)) {
    const contents = await handle.trees.pack(part);
    const keep = async (entry: TreeEntry, content: Uint8Array | undefined) => {
      if (content) found.set(entry, await store.objects.put(content));
    };
    await Promise.all(part.map((entry, at) => keep(entry, contents[at])));
  }
  for (const entry of fresh.filter(({ sizeBytes }) => sizeBytes > smallFileBytes)) {
    const stream = handle.files.readStream(`${handle.info.paths[entry.root]}/${entry.path}`);
    const hash = await unlessGone(store.objects.putStream(stream, budgetBytes * fileShare));
    if (hash) found.set(entry, hash);
  }
  const isWanted = new Set(wanted);
  const kept = entries.map((entry): KeptEntry => {
    if (!isWanted.has(entry)) return entry;
    const hash = found.get(entry) ?? hashes.get(keyOf(entry));
    if (hash) return { ...entry, hash };
    refuse(entry, "it could not be read, or changed while it was");
    return entry;
  });
  return { fingerprint: scan.fingerprint, entries: kept, notKept };
}

/** The files to keep; where there is not room for all, the smaller ones. */
function withinBudget(
  entries: readonly TreeEntry[],
  budgetBytes: number,
  refuse: (entry: TreeEntry, reason: string) => void,
): TreeEntry[] {
  let leftBytes = budgetBytes * filesShare;
  const files = entries.filter(({ kind }) => kind === "file");
  return files
    .toSorted((one, other) => one.sizeBytes - other.sizeBytes)
    .filter((entry) => {
      const isSmallEnough = entry.sizeBytes <= budgetBytes * fileShare && entry.sizeBytes <= leftBytes;
      if (isSmallEnough) leftBytes -= entry.sizeBytes;
      else refuse(entry, `too large (${entry.sizeBytes} bytes) for the checkpoints' budget`);
      return isSmallEnough;
    });
}

async function recordVariables(
  handle: SandboxHandle,
  store: CheckpointStore,
  { budgetBytes, timeoutMs }: RecordingOptions,
): Promise<KeptVariables[]> {
  const maxBytes = Math.floor(budgetBytes * variablesShare);
  const kept: KeptVariables[] = [];
  for (const { name: context, isBusy } of await handle.python.contexts()) {
    if (isTransientContext(context)) continue;
    try {
      if (isBusy) throw new AtollError("busy", "its kernel was running something");
      const { path, saved, lost } = await handle.snapshot({
        context,
        maxBytes,
        maxValueBytes: maxBytes,
        timeoutMs,
      });
      const hash = await store.objects.putStream(handle.files.readStream(path), 2 * maxBytes);
      kept.push({ context, saved, lost, ...(hash ? { hash } : { reason: "they are too large" }) });
    } catch (error) {
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      kept.push({ context, saved: [], lost: [], reason: error.message });
    }
  }
  return kept;
}

function keyOf({ root, path, signature }: TreeEntry): string {
  return `${root}/${path}\0${signature}`;
}

async function unlessGone<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof AtollError && error.code !== "sandbox_dead") return undefined;
    throw error;
  }
}
