import { join } from "node:path";
import { AtollError } from "@atoll/sandbox";
import { DiskBlobStore } from "./blobs/blob-store.ts";
import type { Store } from "./contract.ts";
import { Database } from "./database.ts";
import { makeFolders } from "./folders.ts";
import { SqliteThreadLog } from "./log/thread-log.ts";
import { takeOwnership } from "./owner-lock.ts";
import { loadSecret } from "./secret.ts";
import { FileSettingsStore } from "./settings-store.ts";
import { LogSweep } from "./threads/log-sweep.ts";
import { SqliteThreadStore } from "./threads/thread-store.ts";
import { DiskUploadStore } from "./uploads/upload-store.ts";

/** Everything the server keeps, below `<dataDir>/server`. One process at a time: a second one is refused with `busy`. */
export function openStore({ dataDir }: { dataDir: string }): Store {
  const folders = makeFolders(dataDir);
  const giveUp = takeOwnership(folders.server);
  let database: Database | undefined;
  try {
    const opened = openDatabase(join(folders.server, "atoll.db"));
    database = opened;
    const log = new SqliteThreadLog(opened);
    const uploads = new DiskUploadStore(opened, folders);
    const blobs = new DiskBlobStore(folders.threads);
    const sweep = new LogSweep(opened);
    const threads = new SqliteThreadStore(opened, sweep, (threadId) => {
      log.forget(threadId);
      void uploads.removeUnused().catch(() => {});
    });
    blobs.sweep((threadId) => threads.get(threadId) !== undefined);
    return {
      log,
      threads,
      uploads,
      blobs,
      settings: new FileSettingsStore(folders.server),
      secret: loadSecret(folders.server),
      checkWritable: () => opened.checkWritable(),
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
