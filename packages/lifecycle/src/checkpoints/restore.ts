import {
  AtollError,
  type LostVariable,
  type SandboxHandle,
  type TreeContent,
  type TreeRefusal,
} from "@atoll/sandbox";
import { allVariables, nameIn } from "../variables.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import type { Checkpoint, KeptEntry } from "./contract.ts";
import { inParts, smallFileBytes } from "./batches.ts";

export interface BroughtBack {
  readonly restored: readonly string[];
  readonly lost: readonly LostVariable[];
  readonly missingFiles: readonly TreeRefusal[];
}

/** Fills a new sandbox with what the checkpoint holds. */
export async function bringBack(
  handle: SandboxHandle,
  store: CheckpointStore,
  checkpoint: Checkpoint,
): Promise<BroughtBack> {
  const manifest = await store.readManifest(checkpoint.manifest);
  if (!manifest)
    throw new AtollError("snapshot_invalid", "the files of this checkpoint are damaged on the server's disk");
  const missing: TreeRefusal[] = [...manifest.notKept];
  const files = manifest.entries.filter(({ kind, hash }) => kind === "file" && hash);
  for (const entries of inParts(files)) {
    const part = await Promise.all(entries.map((entry) => withContent(store, entry)));
    for (const { root, path, content } of part)
      if (!content) missing.push({ root, path, reason: "it is damaged on the server's disk" });
    missing.push(...(await handle.trees.unpack(part.filter(({ content }) => content))));
  }
  // Folders come last, since the modes of some may close them.
  missing.push(...(await handle.trees.unpack(manifest.entries.filter(({ kind }) => kind !== "file"))));
  return { ...(await bringVariables(handle, store, checkpoint)), missingFiles: missing };
}

async function withContent(store: CheckpointStore, { hash = "", ...entry }: KeptEntry): Promise<TreeContent> {
  const content =
    entry.sizeBytes <= smallFileBytes ? await store.objects.read(hash) : await store.objects.openStream(hash);
  return content ? { ...entry, content } : entry;
}

async function bringVariables(handle: SandboxHandle, store: CheckpointStore, checkpoint: Checkpoint) {
  const restored: string[] = [];
  const lost: LostVariable[] = [];
  for (const { context, hash, reason, saved } of checkpoint.variables) {
    if (context !== "default") await handle.python.createContext({ name: context });
    const stream = hash && (await store.objects.openStream(hash));
    if (!stream) {
      const why = reason ?? "their snapshot is damaged on the server's disk";
      const names = saved.length > 0 ? saved : [allVariables];
      lost.push(...names.map((name) => ({ name: nameIn(context, name), type: "", reason: why })));
      continue;
    }
    try {
      const path = `${handle.info.paths.session}/.snapshots/${context}.snapshot`;
      await handle.files.write(path, stream());
      const back = await handle.restore({ context, path });
      restored.push(...back.restored.map((name) => nameIn(context, name)));
      lost.push(...back.lost.map((variable) => ({ ...variable, name: nameIn(context, variable.name) })));
    } catch (error) {
      // Without its variables a branch still has its files.
      if (!(error instanceof AtollError) || error.code === "sandbox_dead") throw error;
      lost.push({ name: nameIn(context, allVariables), type: "", reason: error.message });
    }
  }
  return { restored, lost };
}
