import type { ThreadFiles } from "./use-tree.ts";

const TRASH = "/session/.trash";
/** Long enough to think better of it. */
const KEPT_MS = 10 * 60_000;

/** Out of sight, until it is put back with what this gives. What has lain there for long goes for good. */
export async function moveToTrash(files: ThreadFiles, path: string): Promise<() => Promise<unknown>> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const place = `${TRASH}/${Date.now()}/${name}`;
  await files.move(path, place);
  void emptyOld(files);
  return () => files.move(place, path);
}

async function emptyOld(files: ThreadFiles): Promise<void> {
  try {
    const { files: found } = await files.list(TRASH);
    const old = found.filter(({ name }) => Number(name) < Date.now() - KEPT_MS);
    for (const { path } of old) await files.remove(path);
  } catch {
    // The next one that is deleted tries again.
  }
}
