import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FileFolders, type Folders, listFileFolders } from "../data-folder/folders.ts";
import { isOld } from "../data-folder/leftovers.ts";
import type { SqliteUploadTable } from "./upload-table.ts";

/** What the only server of the folder left half-way when it died: parts of files, files without a row, rows without a file. */
export function sweepUploads(folders: Folders, table: SqliteUploadTable): void {
  const missing = table.ids();
  for (const place of listFileFolders(folders)) {
    for (const path of listIncoming(place)) rmSync(path, { recursive: true, force: true });
    for (const name of listUploads(place))
      if (!missing.delete(name)) rmSync(join(place.uploads, name), { force: true });
  }
  if (missing.size > 0) table.forget(missing);
}

/**
 * The same in a folder of several servers: another one may be at work on what is young, and may just have made what this
 * one does not see yet. So only old parts and old files without a row go.
 */
export async function sweepSharedUploads(
  folders: Folders,
  findKnown: (fileIds: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  for (const place of listFileFolders(folders)) {
    for (const path of listIncoming(place).filter(isOld)) rmSync(path, { recursive: true, force: true });
    const old = listUploads(place).filter((name) => isOld(join(place.uploads, name)));
    const known = await findKnown(old);
    for (const name of old) if (!known.has(name)) rmSync(join(place.uploads, name), { force: true });
  }
}

function listIncoming({ incoming }: FileFolders): string[] {
  return readdirSync(incoming).map((name) => join(incoming, name));
}

function listUploads({ uploads }: FileFolders): string[] {
  return readdirSync(uploads).filter((name) => name !== ".incoming");
}
