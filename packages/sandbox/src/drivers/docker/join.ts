import { chmod, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { removeTree } from "../_shared/host-files.ts";
import type { DockerLayout, Home } from "./container-folders.ts";

/** The folders that stay with a sandbox, and their mounts with a container. */
const folders = ["workspace", "session", "outputs"] as const;
const mark = "joining";

/**
 * Brings the files that a sandbox left to a container that runs already: its folders are mounted for good, so what is in
 * them moves. The container's home says whose files it is getting until it has all of them and their place.
 */
export async function moveIn(layout: DockerLayout, id: string, home: Home): Promise<void> {
  const kept = layout.home(id);
  if (home.folder === kept.folder) return;
  await writeFile(home.path(mark), id, { mode: 0o600 });
  for (const folder of folders) {
    await moveEntries(kept.path(folder), home.path(folder));
    await chmod(home.path(folder), (await stat(kept.path(folder))).mode & 0o7777);
  }
  await rename(kept.folder, home.path("left"));
  await layout.settle(home, id);
  const settled = layout.home(id);
  await rm(settled.path(mark));
  await removeTree(settled.path("left"));
}

/** Finishes, backwards, what a process that was killed had begun. */
export async function moveBack(layout: DockerLayout, home: Home): Promise<void> {
  const id = await readFile(home.path(mark), "utf8").catch(() => undefined);
  if (id === undefined) return;
  const left = home.path("left");
  const kept = layout.home(id);
  if (!(await kept.isThere())) await rename(left, kept.folder);
  for (const folder of folders) await moveEntries(home.path(folder), kept.path(folder));
  await rm(home.path(mark));
}

/** Takes the place of an empty folder of the same name. */
async function moveEntries(from: string, to: string): Promise<void> {
  for (const name of await readdir(from)) {
    await rename(`${from}/${name}`, `${to}/${name}`).catch((error: NodeJS.ErrnoException) => {
      // The new home's own empty `artifacts` is no loss.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  }
}
