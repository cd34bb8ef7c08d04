import { randomUUID } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
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
  const database = typeof options.database === "string" ? open(options.database) : options.database;
  const table = new JobTable(database);
  const worker = randomUUID();
  const running = new Set<Promise<void>>();
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
        const job: Promise<void> = settle(claim, work).finally(() => {
          running.delete(job);
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
        table.renew(claim, clock.now() + leaseMs);
        renewLater();
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

function open(path: string): DatabaseSync {
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  dropOtherVersions(database);
  return database;
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
