import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Folders } from "../folders.ts";
import { isOld } from "../leftovers.ts";
import type { SqliteUploadTable } from "./upload-table.ts";

/** What the only server of the folder left half-way when it died: parts of files, files without a row, rows without a file. */
export function sweepUploads(folders: Folders, table: SqliteUploadTable): void {
  for (const path of listIncoming(folders)) rmSync(path, { recursive: true, force: true });
  const known = table.ids();
  const present = new Set(listUploads(folders));
  for (const name of present.difference(known)) rmSync(join(folders.uploads, name), { force: true });
  const missing = known.difference(present);
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
  for (const path of listIncoming(folders).filter(isOld)) rmSync(path, { recursive: true, force: true });
  const old = listUploads(folders).filter((name) => isOld(join(folders.uploads, name)));
  const known = await findKnown(old);
  for (const name of old) if (!known.has(name)) rmSync(join(folders.uploads, name), { force: true });
}

function listIncoming(folders: Folders): string[] {
  return readdirSync(folders.incoming).map((name) => join(folders.incoming, name));
}

function listUploads(folders: Folders): string[] {
  return readdirSync(folders.uploads).filter((name) => name !== ".incoming");
}
