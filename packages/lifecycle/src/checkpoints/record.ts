import {
  AtollError,
  isTransientContext,
  type SandboxHandle,
  type TreeEntry,
  type TreeRefusal,
} from "@atoll/sandbox";
import { SMALL_FILE_BYTES, splitIntoBatches } from "./batches.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import type { Checkpoint, Manifest, StoredEntry, StoredVariables } from "./contract.ts";

export interface RecordOptions {
  readonly turnId: string;
  readonly takenAt: string;
  /** For everything that is stored for the thread. */
  readonly budgetBytes: number;
  /** The kernels have done nothing since the latest checkpoint. */
  readonly areVariablesUnchanged: boolean;
  /** Variables that take longer than this are left out. */
  readonly timeoutMs: number;
  /** Something is running that may write at any moment. */
  readonly isBusy: boolean;
}

const MAX_RESCANS = 3;
/** One checkpoint's files take at most half of the budget, one file a quarter, one kernel's variables a quarter. */
const FILES_SHARE = 0.5;
const FILE_SHARE = 0.25;
const VARIABLES_SHARE = 0.25;

/** Records a sandbox in which no call starts meanwhile. An unchanged file costs one look at its times. */
export async function recordCheckpoint(
  handle: SandboxHandle,
  store: CheckpointStore,
  options: RecordOptions,
): Promise<Checkpoint> {
  const { turnId, takenAt, budgetBytes } = options;
  const previous = await store.latest();
  const { hash, manifest, isExact } = await recordFiles(handle, store, previous, budgetBytes);
  const variables =
    options.areVariablesUnchanged && previous
      ? previous.variables
      : await recordVariables(handle, store, options);
  const stored = manifest.entries.filter((entry) => entry.hash !== undefined);
  const files = {
    count: stored.length,
    bytes: stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    notKept: manifest.notKept.length,
  };
  const checkpoint = await store.add({
    turnId,
    takenAt,
    manifest: hash,
    files,
    variables,
    isExact: isExact && !options.isBusy,
  });
  await store.prune(budgetBytes);
  return checkpoint;
}

interface RecordedFiles {
  readonly hash: string;
  readonly manifest: Manifest;
  readonly isExact: boolean;
}

/** Scans again after reading: files that changed in between are read once more, a few times. */
async function recordFiles(
  handle: SandboxHandle,
  store: CheckpointStore,
  previous: Checkpoint | undefined,
  budgetBytes: number,
): Promise<RecordedFiles> {
  let manifest = previous && (await store.readManifest(previous.manifest));
  let hash = manifest && previous?.manifest;
  for (let rescans = 0; ; rescans++) {
    const scan = await handle.trees.scan(manifest ? { unless: manifest.fingerprint } : {});
    if (!scan.entries && manifest && hash) return { hash, manifest, isExact: true };
    if (rescans === MAX_RESCANS && manifest && hash) return { hash, manifest, isExact: false };
    manifest = await storeFiles(handle, store, scan.entries ?? [], { scan, previous: manifest, budgetBytes });
    hash = await store.putManifest(manifest);
  }
}

async function storeFiles(
  handle: SandboxHandle,
  store: CheckpointStore,
  entries: readonly TreeEntry[],
  {
    scan,
    previous,
    budgetBytes,
  }: {
    scan: { fingerprint: string; skipped: readonly TreeRefusal[] };
    previous: Manifest | undefined;
    budgetBytes: number;
  },
): Promise<Manifest> {
  const knownHashes = new Map(previous?.entries.map((entry) => [keyOf(entry), entry.hash]));
  const notKept: TreeRefusal[] = [...scan.skipped];
  const refuse = ({ root, path }: TreeEntry, reason: string) => void notKept.push({ root, path, reason });
  const selected = selectWithinBudget(entries, budgetBytes, refuse);
  const changed = selected.filter((entry) => !knownHashes.get(keyOf(entry)));
  await store.prune(budgetBytes - changed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));

  const newHashes = new Map<TreeEntry, string>();
  const small = changed.filter(({ sizeBytes }) => sizeBytes <= SMALL_FILE_BYTES);
  for (const batch of splitIntoBatches(small)) {
    const contents = await handle.trees.pack(batch);
    const storeContent = async (entry: TreeEntry, content: Uint8Array | undefined) => {
      if (content) newHashes.set(entry, await store.objects.put(content));
    };
    await Promise.all(batch.map((entry, at) => storeContent(entry, contents[at])));
  }
  for (const entry of changed.filter(({ sizeBytes }) => sizeBytes > SMALL_FILE_BYTES)) {
    const stream = handle.files.readStream(`${handle.info.paths[entry.root]}/${entry.path}`);
    const hash = await ignoreFailure(store.objects.putStream(stream, budgetBytes * FILE_SHARE));
    if (hash) newHashes.set(entry, hash);
  }
  const isSelected = new Set(selected);
  const stored = entries.map((entry): StoredEntry => {
    if (!isSelected.has(entry)) return entry;
    const hash = newHashes.get(entry) ?? knownHashes.get(keyOf(entry));
    if (hash) return { ...entry, hash };
    refuse(entry, "it could not be read, or changed while it was read");
    return entry;
  });
  return { fingerprint: scan.fingerprint, entries: stored, notKept };
}

/** The files to store. If the budget is too small for all, the smallest. */
function selectWithinBudget(
  entries: readonly TreeEntry[],
  budgetBytes: number,
  refuse: (entry: TreeEntry, reason: string) => void,
): TreeEntry[] {
  let leftBytes = budgetBytes * FILES_SHARE;
  const files = entries.filter(({ kind }) => kind === "file");
  return files
    .toSorted((one, other) => one.sizeBytes - other.sizeBytes)
    .filter((entry) => {
      const isSmallEnough = entry.sizeBytes <= budgetBytes * FILE_SHARE && entry.sizeBytes <= leftBytes;
      if (isSmallEnough) leftBytes -= entry.sizeBytes;
      else refuse(entry, `too large (${entry.sizeBytes} bytes) for the checkpoints' budget`);
      return isSmallEnough;
    });
}

async function recordVariables(
  handle: SandboxHandle,
  store: CheckpointStore,
  { budgetBytes, timeoutMs }: RecordOptions,
): Promise<StoredVariables[]> {
  const maxBytes = Math.floor(budgetBytes * VARIABLES_SHARE);
  const stored: StoredVariables[] = [];
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
      stored.push({ context, saved, lost, ...(hash ? { hash } : { reason: "they are too large" }) });
    } catch (error) {
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      stored.push({ context, saved: [], lost: [], reason: error.message });
    }
  }
  return stored;
}

function keyOf({ root, path, signature }: TreeEntry): string {
  return `${root}/${path}\0${signature}`;
}

/** Undefined if the call fails, for example since the file is gone. Throws if the sandbox has ended. */
async function ignoreFailure<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof AtollError && error.code !== "sandbox_dead") return undefined;
    throw error;
  }
}
