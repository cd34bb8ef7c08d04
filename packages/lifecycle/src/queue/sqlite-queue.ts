import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AtollError } from "@atoll/sandbox";
import { type Clock, systemClock } from "../clock.ts";
import { type JobQueue, type JobWork, jobKinds, queueDefaults, type QueueOptions } from "./contract.ts";
import { type Claim, JobTable, schemaVersion } from "./job-table.ts";

export interface SqliteQueueOptions extends QueueOptions {
  /** An open database, or the path of one; `:memory:` for jobs that end with the process. */
  database: DatabaseSync | string;
  clock?: Clock;
  /** The database failed where nobody waits for an answer. */
  onProblem?: (error: unknown) => void;
}

/** Jobs of one machine, in SQLite. It sleeps until the next job is due. */
export function createSqliteQueue(options: SqliteQueueOptions): JobQueue {
  const { maxTries, backOffMs, leaseMs, concurrency } = { ...queueDefaults, ...options };
  const { clock = systemClock, onProblem = () => {} } = options;
  const isOwn = typeof options.database === "string";
  const database =
    typeof options.database === "string" ? open(options.database, onProblem) : options.database;
  const table = new JobTable(database);
  const worker = randomUUID();
  const running = new Set<Promise<void>>();
  const held = new Set<string>();
  let work: JobWork | undefined;
  let disarm = () => {};

  const arm = (): void => {
    disarm();
    if (!work || running.size >= concurrency) return;
    const dueMs = table.nextDueMs();
    if (dueMs !== undefined) disarm = clock.after(dueMs - clock.now(), tick);
  };

  const tick = (): void => {
    try {
      while (running.size < concurrency) {
        const claim = work && table.claim(worker, clock.now(), leaseMs);
        if (!work || !claim) break;
        // A clock that jumped past its lease: this worker is at it, and has renewed the lease just now.
        const key = `${claim.kind}.${claim.sandboxId}`;
        if (held.has(key)) continue;
        held.add(key);
        const job: Promise<void> = settle(claim, work).finally(() => {
          running.delete(job);
          held.delete(key);
          tick();
        });
        running.add(job);
      }
      arm();
    } catch (error) {
      onProblem(error);
    }
  };

  const settle = async (claim: Claim, work: JobWork): Promise<void> => {
    try {
      await perform(claim, work);
    } catch (error) {
      onProblem(error);
    }
  };

  const perform = async (claim: Claim, work: JobWork): Promise<void> => {
    // A worker that dies with the job again and again must not take every server with it.
    if (claim.tries > maxTries) return table.bury(claim, clock.now(), "its worker died each time");
    let stopRenewing = () => {};
    const renewLater = () => {
      stopRenewing = clock.after(leaseMs / 3, () => {
        renewLater();
        try {
          table.renew(claim, clock.now() + leaseMs);
        } catch (error) {
          onProblem(error);
        }
      });
    };
    renewLater();
    try {
      const { sandboxId, kind, tries } = claim;
      const outcome = await work({ sandboxId, kind, tries });
      if (outcome) table.putBack(claim, outcome.againAtMs);
      else table.complete(claim, clock.now());
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (claim.tries >= maxTries) table.bury(claim, clock.now(), failure);
      else table.putBack(claim, clock.now() + backOffMs(claim.tries), failure);
    } finally {
      stopRenewing();
    }
  };

  return {
    async schedule(job) {
      table.put(job, clock.now());
      arm();
    },
    async cancel(sandboxId, kinds = jobKinds) {
      for (const kind of kinds) table.remove(sandboxId, kind);
      arm();
    },
    list: async ({ sandboxId } = {}) => table.list(sandboxId),
    async revive(sandboxId, kind) {
      const isRevived = table.unbury(sandboxId, kind, clock.now());
      arm();
      return isRevived;
    },
    async start(given) {
      work = given;
      tick();
    },
    async close() {
      work = undefined;
      disarm();
      await Promise.all(running);
      if (isOwn && database.isOpen) database.close();
    },
  };
}

/** A damaged file is put aside: alarms are set anew when sandboxes are adopted, so that nothing is lost with them. */
function open(path: string, onProblem: (error: unknown) => void): DatabaseSync {
  try {
    return openSound(path);
  } catch (cause) {
    if (path === ":memory:" || !isDamage(cause)) throw cause;
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(":", "-")}`;
    for (const end of ["", "-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end);
    onProblem(
      new AtollError("damaged", `${path} was damaged: it is kept as ${aside}, alarms are set anew`, {
        cause,
      }),
    );
    return openSound(path);
  }
}

function openSound(path: string): DatabaseSync {
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    dropOtherVersions(database);
    const fault = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (fault !== "ok") throw Object.assign(new Error(String(fault)), { errcode: corrupt });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const [corrupt, notDatabase] = [11, 26];

function isDamage(cause: unknown): boolean {
  const { errcode } = (cause ?? {}) as { errcode?: number };
  return errcode !== undefined && [corrupt, notDatabase].includes(errcode & 0xff);
}

/** Alarms are set anew when sandboxes are adopted: jobs of another version need not be carried over. */
function dropOtherVersions(database: DatabaseSync): void {
  // Looked at inside the transaction: another process may be opening the same file.
  database.exec("BEGIN EXCLUSIVE");
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version !== schemaVersion) {
    database.exec(`DROP TABLE IF EXISTS jobs; DROP TABLE IF EXISTS dead_jobs;
      PRAGMA user_version = ${schemaVersion}`);
  }
  database.exec("COMMIT");
}
