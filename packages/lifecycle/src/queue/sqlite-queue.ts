import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, renameSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AtollError } from "@atoll/sandbox";
import { type Clock, systemClock } from "../clock.ts";
import { type JobQueue, type JobWork, JOB_KINDS, QUEUE_DEFAULTS, type QueueOptions } from "./contract.ts";
import { JobTable, type LeasedJob, SCHEMA_VERSION } from "./job-table.ts";

export interface SqliteQueueOptions extends QueueOptions {
  /** An open database, or the path of one; `:memory:` for jobs that end with the process. */
  database: DatabaseSync | string;
  clock?: Clock;
  /** Gets the errors of background work. */
  onProblem?: (error: unknown) => void;
}

/**
 * Jobs of one machine, in SQLite. Sleeps until the next job is due.
 *
 *     const queue = createSqliteQueue({ database: "/var/lib/atoll/lifecycle.db" });
 */
export function createSqliteQueue(options: SqliteQueueOptions): JobQueue {
  const { maxTries, backOffMs, leaseMs, concurrency } = { ...QUEUE_DEFAULTS, ...options };
  const { clock = systemClock, onProblem = () => {} } = options;
  const isOwnDatabase = typeof options.database === "string";
  const database =
    typeof options.database === "string" ? open(options.database, onProblem) : options.database;
  const table = new JobTable(database);
  const worker = randomUUID();
  const running = new Set<Promise<void>>();
  const runningKeys = new Set<string>();
  let work: JobWork | undefined;
  let cancelTimer = () => {};

  const setTimer = (): void => {
    cancelTimer();
    if (!work || running.size >= concurrency) return;
    const dueMs = table.nextDueMs();
    if (dueMs !== undefined) cancelTimer = clock.after(dueMs - clock.now(), runDueJobs);
  };

  const runDueJobs = (): void => {
    try {
      while (running.size < concurrency) {
        const job = work && table.lease(worker, clock.now(), leaseMs);
        if (!work || !job) break;
        // The clock jumped past the lease of a job that this worker is running: the lease is renewed by now.
        const key = `${job.kind}.${job.sandboxId}`;
        if (runningKeys.has(key)) continue;
        runningKeys.add(key);
        const finished: Promise<void> = runReporting(job, work).finally(() => {
          running.delete(finished);
          runningKeys.delete(key);
          runDueJobs();
        });
        running.add(finished);
      }
      setTimer();
    } catch (error) {
      onProblem(error);
    }
  };

  const runReporting = async (job: LeasedJob, work: JobWork): Promise<void> => {
    try {
      await run(job, work);
    } catch (error) {
      onProblem(error);
    }
  };

  const run = async (job: LeasedJob, work: JobWork): Promise<void> => {
    // A job that kills its worker each time must not kill every server.
    if (job.tries > maxTries) return table.bury(job, clock.now(), "its worker died each time");
    let stopRenewing = () => {};
    const renewLater = () => {
      stopRenewing = clock.after(leaseMs / 3, () => {
        renewLater();
        try {
          table.renew(job, clock.now() + leaseMs);
        } catch (error) {
          onProblem(error);
        }
      });
    };
    renewLater();
    try {
      const { sandboxId, kind, tries } = job;
      const outcome = await work({ sandboxId, kind, tries });
      if (outcome) table.postpone(job, outcome.againAtMs);
      else table.complete(job, clock.now());
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      if (job.tries >= maxTries) table.bury(job, clock.now(), failure);
      else table.postpone(job, clock.now() + backOffMs(job.tries), failure);
    } finally {
      stopRenewing();
    }
  };

  return {
    async schedule(job) {
      table.put(job, clock.now());
      setTimer();
    },
    async cancel(sandboxId, kinds = JOB_KINDS) {
      for (const kind of kinds) table.remove(sandboxId, kind);
      setTimer();
    },
    list: async ({ sandboxId } = {}) => table.list(sandboxId),
    async revive(sandboxId, kind) {
      const isRevived = table.revive(sandboxId, kind, clock.now());
      setTimer();
      return isRevived;
    },
    async start(jobWork) {
      work = jobWork;
      runDueJobs();
    },
    async close() {
      work = undefined;
      cancelTimer();
      await Promise.all(running);
      if (isOwnDatabase && database.isOpen) database.close();
    },
  };
}

/** A damaged file is renamed. No job is lost with it: adopting the sandboxes schedules their timers again. */
function open(path: string, onProblem: (error: unknown) => void): DatabaseSync {
  try {
    return openIntact(path);
  } catch (cause) {
    if (path === ":memory:" || !isDamage(cause)) throw cause;
    const aside = `${path}.damaged-${new Date().toISOString().replaceAll(":", "-")}`;
    for (const end of ["", "-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end);
    onProblem(
      new AtollError(
        "damaged",
        `${path} was damaged. It was renamed to ${aside}, and timers are scheduled again.`,
        {
          cause,
        },
      ),
    );
    return openIntact(path);
  }
}

function openIntact(path: string): DatabaseSync {
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 5000 });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    dropOtherVersions(database);
    const fault = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
    if (fault !== "ok") throw Object.assign(new Error(String(fault)), { errcode: SQLITE_CORRUPT });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

const [SQLITE_CORRUPT, SQLITE_NOTADB] = [11, 26];

function isDamage(cause: unknown): boolean {
  const { errcode } = (cause ?? {}) as { errcode?: number };
  return errcode !== undefined && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff);
}

/** Jobs of another version are not migrated: adopting the sandboxes schedules their timers again. */
function dropOtherVersions(database: DatabaseSync): void {
  // Read inside the transaction: another process may be opening the same file.
  database.exec("BEGIN EXCLUSIVE");
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version !== SCHEMA_VERSION) {
    database.exec(`DROP TABLE IF EXISTS jobs; DROP TABLE IF EXISTS dead_jobs;
      PRAGMA user_version = ${SCHEMA_VERSION}`);
  }
  database.exec("COMMIT");
}
