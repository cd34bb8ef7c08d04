import { randomUUID } from "node:crypto";
import { DiskBlobStore } from "../blobs/blob-store.ts";
import { AgeClock } from "../ages/age-clock.ts";
import type { Store, StoreOptions } from "../contract.ts";
import { Damages } from "../damage/damages.ts";
import { VerifiedFiles } from "../damage/verified-files.ts";
import { Database } from "../database.ts";
import type { Folders } from "../data-folder/folders.ts";
import { SqliteThreadLog } from "../log/thread-log.ts";
import { loadSecret } from "../data-folder/secret.ts";
import { FileSettingsStore } from "../settings-store.ts";
import { sweepSharedUploads } from "../uploads/upload-sweep.ts";
import { DiskUploadStore } from "../uploads/upload-store.ts";
import { PostgresAgeRecord } from "./age-record.ts";
import { toDatabaseError } from "./errors.ts";
import { OwnedThreads } from "./owned-threads.ts";
import { LogReplica } from "./log-replica.ts";
import { OwnershipErrors } from "./ownership-errors.ts";
import { advisoryLocks, migrate } from "./migrate.ts";
import { PostgresOwnership } from "./ownership.ts";
import { Postgres } from "./postgres.ts";
import { PostgresShareStore } from "./share-store.ts";
import { PostgresThreadStore } from "./thread-store.ts";
import { PostgresTrashStore } from "./trash-store.ts";
import { PostgresUploadTable } from "./upload-table.ts";

/** The store of several servers: Postgres for what is said and known, the shared folder for the content of files. */
export async function openSharedStore(
  folders: Folders,
  databaseUrl: string,
  { serverId = randomUUID(), onLost, beforeCreate, waitMs = defaultWaitMs }: StoreOptions,
): Promise<Store> {
  const database = new Postgres(databaseUrl, { maxConnections: 4, waitMs });
  // A search that takes its time holds up no batch.
  const logDatabase = new Postgres(databaseUrl, { maxConnections: 1, waitMs });
  const closeDatabases = () => Promise.all([database.close(), logDatabase.close()]);
  try {
    await migrate(database);
    const copy = new Database(":memory:");
    const owned = new OwnedThreads(copy);
    const errors = new OwnershipErrors({
      serverId,
      database,
      owned,
      onLost: (threadId) => {
        log.forget(threadId);
        onLost?.(threadId);
      },
    });
    const log = new SqliteThreadLog(copy, new LogReplica(logDatabase, owned, errors));
    const uploadTable = new PostgresUploadTable(database);
    const damages = new Damages();
    const verified = new VerifiedFiles(damages);
    const uploads = new DiskUploadStore(uploadTable, folders, verified);
    const blobs = new DiskBlobStore(folders, verified);
    const forget = (threadId: string) => log.forget(threadId);
    const removeUnused = () => void uploads.removeUnused().catch(() => {});
    const threads = new PostgresThreadStore({
      database,
      owned,
      errors,
      onRemoved: (threadId) => {
        forget(threadId);
        removeUnused();
      },
      beforeCreate,
    });
    const onGone = { trashed: forget, purged: removeUnused };
    const trash = new PostgresTrashStore({ database, owned, errors, onGone });
    const settings = new FileSettingsStore(folders.server, {
      takeTurn: (work) =>
        database.transact(async (query) => {
          await query("SELECT pg_advisory_xact_lock($1::bigint)", [advisoryLocks.settings]);
          return work();
        }),
    });
    const isKept = async (threadId: string) => (await threads.has(threadId)) || trash.has(threadId);
    const sweeping = sweep(folders, blobs, isKept, uploadTable);
    return {
      ownership: new PostgresOwnership({ database, owned, errors, log }),
      log,
      threads,
      trash,
      ages: new AgeClock(new PostgresAgeRecord(database)),
      uploads,
      blobs,
      shares: new PostgresShareStore(database),
      settings,
      secret: loadSecret(folders.server),
      damages,
      isWhole: true,
      checkWritable: () => checkWritable(database),
      close: async () => {
        await log.close();
        await sweeping;
        owned.close();
        copy.close();
        await closeDatabases();
      },
    };
  } catch (error) {
    await closeDatabases();
    throw toDatabaseError(error);
  }
}

/** A user waits so long for a database that restarts before being told that it is away. */
const defaultWaitMs = 8000;
const checkDeadlineMs = 3000;

async function checkWritable(database: Postgres): Promise<void> {
  try {
    await database.queryOnce("UPDATE atoll_schema SET version = version", [], checkDeadlineMs);
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** In the background: what is in the way of nobody may lie there a while longer. */
async function sweep(
  folders: Folders,
  blobs: DiskBlobStore,
  isKept: (threadId: string) => Promise<boolean>,
  uploads: PostgresUploadTable,
): Promise<void> {
  try {
    await blobs.sweepShared(isKept);
    await sweepSharedUploads(folders, (fileIds) => uploads.findKnown(fileIds));
  } catch {
    // The next start tries again.
  }
}
