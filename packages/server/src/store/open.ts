import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { AgeClock } from "./ages/age-clock.ts";
import { SqliteAgeRecord } from "./ages/sqlite-age-record.ts";
import { DiskBlobStore } from "./blobs/blob-store.ts";
import type { Ownership, Store, StoreOptions } from "./contract.ts";
import { checkInBackground } from "./damage/background-check.ts";
import { damagedDatabase, isDamage } from "./damage/damaged-error.ts";
import { Damages } from "./damage/damages.ts";
import { findLoss } from "./damage/loss.ts";
import { Marker } from "./damage/marker.ts";
import { VerifiedFiles } from "./damage/verified-files.ts";
import { Database } from "./database.ts";
import { checkFolderUse } from "./data-folder/folder-use.ts";
import { type Folders, makeFolders } from "./data-folder/folders.ts";
import { SqliteThreadLog } from "./log/thread-log.ts";
import { takeOwnership } from "./data-folder/folder-lock.ts";
import { loadSecret } from "./data-folder/secret.ts";
import { FileSettingsStore } from "./settings-store.ts";
import { SqliteShareStore } from "./shares/share-store.ts";
import { LogSweep } from "./threads/log-sweep.ts";
import { SqliteThreadStore } from "./threads/thread-store.ts";
import { SqliteTrashStore } from "./trash/trash-store.ts";
import { DiskUploadStore } from "./uploads/upload-store.ts";
import { sweepUploads } from "./uploads/upload-sweep.ts";
import { SqliteUploadTable } from "./uploads/upload-table.ts";

/**
 * Everything the server keeps: files below `<dataDir>/server`; the rest there too, for one process at a time (a second one
 * is refused with `busy`), or in the Postgres at `databaseUrl`, for many.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const folders = makeFolders(options.dataDir, options.temporaryDir);
  checkFolderUse(folders.server, options.databaseUrl === undefined ? "own" : "shared");
  if (options.databaseUrl === undefined) return openOwnStore(folders);
  // Loaded only where it is wanted.
  const { openSharedStore } = await import("./postgres/open-shared.ts");
  return openSharedStore(folders, options.databaseUrl, options);
}

function openOwnStore(folders: Folders): Store {
  const giveUp = takeOwnership(folders.server);
  let database: Database | undefined;
  try {
    const path = join(folders.server, "atoll.db");
    const damages = new Damages();
    const opened = openDatabase(path, damages);
    database = opened;
    const loss = findLoss(folders.server, opened);
    if (loss !== undefined) damages.note({ what: "acknowledged", message: loss, isContained: true });
    const marker = new Marker(folders.server);
    opened.mark(marker);
    const log = new SqliteThreadLog(opened);
    const uploadTable = new SqliteUploadTable(opened);
    if (loss === undefined) sweepUploads(folders, uploadTable);
    const verified = new VerifiedFiles(damages);
    const uploads = new DiskUploadStore(uploadTable, folders, verified);
    const blobs = new DiskBlobStore(folders, verified);
    const sweep = new LogSweep(opened);
    const forget = (threadId: string) => log.forget(threadId);
    const removeUnused = () => void uploads.removeUnused().catch(() => {});
    const threads = new SqliteThreadStore(opened, sweep, (threadId) => {
      forget(threadId);
      removeUnused();
    });
    const trash = new SqliteTrashStore(opened, sweep, { trashed: forget, purged: removeUnused });
    const kept = threads.ids();
    if (loss === undefined) blobs.sweep((threadId) => kept.has(threadId));
    const endCheck = checkInBackground(path, damages);
    return {
      ownership: ownAll(log, threads),
      log,
      threads,
      trash,
      ages: new AgeClock(new SqliteAgeRecord(opened)),
      uploads,
      blobs,
      shares: new SqliteShareStore(opened),
      settings: new FileSettingsStore(folders.server),
      secret: loadSecret(folders.server),
      damages,
      isWhole: loss === undefined,
      checkWritable: async () => opened.checkWritable(),
      close: async () => {
        sweep.stop();
        await endCheck();
        await log.close();
        opened.close();
        marker.close();
        giveUp();
      },
    };
  } catch (error) {
    database?.close();
    giveUp();
    throw error;
  }
}

/** One server owns every thread that is there. */
function ownAll(log: SqliteThreadLog, threads: SqliteThreadStore): Ownership {
  return {
    takeOver: (threadId) => threads.has(threadId),
    letGo: async () => {},
    holds: (threadId) => threads.get(threadId) !== undefined,
    unsettledOf: async () => log.unsettled(),
    unsettledOwners: async () => [],
    verify: async () => {},
  };
}

function openDatabase(path: string, damages: Damages): Database {
  try {
    return new Database(path, damages);
  } catch (cause) {
    if (cause instanceof AtollError) throw cause;
    if (isDamage(cause)) throw damagedDatabase(cause);
    throw new AtollError(
      "internal",
      `The server's database atoll.db cannot be opened (${cause instanceof Error ? cause.message : String(cause)}). ` +
        "Restore it from a backup, or set ATOLL_DATA_DIR to another folder.",
      { cause },
    );
  }
}
