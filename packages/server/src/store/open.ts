import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { DiskBlobStore } from "./blobs/blob-store.ts";
import type { Ownership, Store, StoreOptions } from "./contract.ts";
import { Database } from "./database.ts";
import { checkFolderUse } from "./folder-use.ts";
import { type Folders, makeFolders } from "./folders.ts";
import { SqliteThreadLog } from "./log/thread-log.ts";
import { takeOwnership } from "./owner-lock.ts";
import { loadSecret } from "./secret.ts";
import { FileSettingsStore } from "./settings-store.ts";
import { SqliteShareStore } from "./shares/share-store.ts";
import { LogSweep } from "./threads/log-sweep.ts";
import { SqliteThreadStore } from "./threads/thread-store.ts";
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
    const opened = openDatabase(join(folders.server, "atoll.db"));
    database = opened;
    const log = new SqliteThreadLog(opened);
    const uploadTable = new SqliteUploadTable(opened);
    sweepUploads(folders, uploadTable);
    const uploads = new DiskUploadStore(uploadTable, folders);
    const blobs = new DiskBlobStore(folders);
    const sweep = new LogSweep(opened);
    const threads = new SqliteThreadStore(opened, sweep, (threadId) => {
      log.forget(threadId);
      void uploads.removeUnused().catch(() => {});
    });
    blobs.sweep((threadId) => threads.get(threadId) !== undefined);
    return {
      ownership: ownAll(log, threads),
      log,
      threads,
      uploads,
      blobs,
      shares: new SqliteShareStore(opened),
      settings: new FileSettingsStore(folders.server),
      secret: loadSecret(folders.server),
      checkWritable: async () => opened.checkWritable(),
      close: async () => {
        sweep.stop();
        await log.close();
        opened.close();
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

function openDatabase(path: string): Database {
  try {
    return new Database(path);
  } catch (cause) {
    if (cause instanceof AtollError) throw cause;
    throw new AtollError(
      "internal",
      `The server's database atoll.db cannot be opened (${cause instanceof Error ? cause.message : String(cause)}). ` +
        "Restore it from a backup, or set ATOLL_DATA_DIR to another folder.",
      { cause },
    );
  }
}
