import {
  AtollError,
  type LostVariable,
  type SandboxHandle,
  type TreeContent,
  type TreeRefusal,
} from "@atoll/sandbox";
import { ALL_VARIABLES, nameIn } from "../hibernate.ts";
import { SMALL_FILE_BYTES, splitIntoBatches } from "./batches.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import type { Checkpoint, StoredEntry } from "./contract.ts";

export interface RestoreReport {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly missingFiles: readonly TreeRefusal[];
}

/** Fills a new sandbox with the files and variables of the checkpoint. */
export async function restoreCheckpoint(
  handle: SandboxHandle,
  store: CheckpointStore,
  checkpoint: Checkpoint,
): Promise<RestoreReport> {
  const manifest = await store.readManifest(checkpoint.manifest);
  if (!manifest)
    throw new AtollError("snapshot_invalid", "the files of this checkpoint are damaged on the server's disk");
  const missing: TreeRefusal[] = [...manifest.notKept];
  const files = manifest.entries.filter(({ kind, hash }) => kind === "file" && hash);
  for (const entries of splitIntoBatches(files)) {
    const batch = await Promise.all(entries.map((entry) => readContent(store, entry)));
    for (const { root, path, content } of batch)
      if (!content) missing.push({ root, path, reason: "it is damaged on the server's disk" });
    missing.push(...(await handle.trees.unpack(batch.filter(({ content }) => content))));
  }
  // Folders come last: the modes of some do not allow writing into them.
  missing.push(...(await handle.trees.unpack(manifest.entries.filter(({ kind }) => kind !== "file"))));
  return { ...(await restoreVariables(handle, store, checkpoint)), missingFiles: missing };
}

async function readContent(
  store: CheckpointStore,
  { hash = "", ...entry }: StoredEntry,
): Promise<TreeContent> {
  const content =
    entry.sizeBytes <= SMALL_FILE_BYTES
      ? await store.objects.read(hash)
      : await store.objects.openStream(hash);
  return content ? { ...entry, content } : entry;
}

async function restoreVariables(handle: SandboxHandle, store: CheckpointStore, checkpoint: Checkpoint) {
  const restored: string[] = [];
  const lost: LostVariable[] = [];
  for (const { context, hash, reason, saved } of checkpoint.variables) {
    if (context !== "default") await handle.python.createContext({ name: context });
    const stream = hash && (await store.objects.openStream(hash));
    if (!stream) {
      const why = reason ?? "their snapshot is damaged on the server's disk";
      const names = saved.length > 0 ? saved : [ALL_VARIABLES];
      lost.push(...names.map((name) => ({ name: nameIn(context, name), type: "", reason: why })));
      continue;
    }
    try {
      const path = `${handle.info.paths.session}/.snapshots/${context}.snapshot`;
      await handle.files.write(path, stream());
      const report = await handle.restore({ context, path });
      restored.push(...report.restored.map((name) => nameIn(context, name)));
      lost.push(...report.lost.map((variable) => ({ ...variable, name: nameIn(context, variable.name) })));
    } catch (error) {
      // A branch without variables still has its files.
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      lost.push({ name: nameIn(context, ALL_VARIABLES), type: "", reason: error.message });
    }
  }
  return { restored, lost };
}
