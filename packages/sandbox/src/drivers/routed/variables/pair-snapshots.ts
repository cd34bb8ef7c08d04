import type { Restored, RestoreOptions, Snapshot, SnapshotOptions } from "../../../contract/sandbox.ts";
import { DEFAULT_MAX_SNAPSHOT_BYTES } from "../../../guest/sandbox.ts";
import type { Kernels } from "./kernels.ts";
import { requireContext } from "../python/contexts.ts";
import { ensureContext } from "./transfer-variables.ts";
import type { Pair } from "../pair.ts";

/** One file with the variables of both kernels: those of the light one are copied to the heavy one for it. */
export async function snapshotPair(
  pair: Pair,
  kernels: Kernels,
  options: SnapshotOptions,
): Promise<Snapshot> {
  const { context = "default", maxBytes = DEFAULT_MAX_SNAPSHOT_BYTES, signal } = options;
  await requireContext(pair, context);
  if (!pair.hasHeavy && pair.hasLightKernel(context)) return pair.light.snapshot(options);
  const heavy = await pair.heavy();
  await ensureContext(heavy, context);
  const lost = await kernels.toHeavy(context, { isCopy: true, maxBytes, ...(signal && { signal }) });
  const snapshot = await heavy.snapshot(options);
  return { ...snapshot, lost: [...lost, ...snapshot.lost] };
}

/** Into the light kernel where that can take all of it, else into the heavy one. */
export async function restorePair(pair: Pair, kernels: Kernels, options: RestoreOptions): Promise<Restored> {
  const { context = "default", path, isAdded = false, forget = [] } = options;
  if (!pair.hasHeavy && pair.hasLightKernel(context)) {
    const restored = await pair.light.restore(options);
    if (isAdded) await kernels.ask("light", context);
    else {
      kernels.forget(context);
      kernels.of(context).list("light", restored.restored);
    }
    if (!restored.lost.some(({ reason }) => notHere.test(reason))) return restored;
  }
  const { light } = pair;
  const source = pair.hasHeavy
    ? undefined
    : (path ?? `${light.info.paths.session}/.snapshots/${context}.snapshot`);
  const heavy = await pair.heavy();
  await ensureContext(heavy, context);
  // Snapshots are no part of the files that both have.
  if (source !== undefined) await heavy.files.write(source, light.files.readStream(source));
  if (isAdded) {
    await kernels.toHeavy(context);
    const added = await heavy.restore(options);
    const variables = kernels.of(context);
    for (const name of forget) variables.places.delete(name);
    variables.moved(added.restored, "heavy");
    return added;
  }
  const restored = await heavy.restore(options);
  if (pair.hasLightKernel(context)) await light.python.restart(context);
  kernels.forget(context);
  kernels.of(context).list("heavy", restored.restored);
  return restored;
}

/** What another Python, or one with more modules, may be able to bring back. */
const notHere = /^cannot be restored|^needs /;
