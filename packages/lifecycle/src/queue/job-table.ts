import type { DatabaseSync } from "node:sqlite";
import type { Job, JobKind, JobListing, NewJob } from "./contract.ts";

/** A job that a worker is running. */
export interface LeasedJob extends Job {
  readonly worker: string;
}

/** The jobs in SQLite. Each change is one statement or transaction, so that several processes can share the file. */
export class JobTable {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(SCHEMA);
  }

  put({ sandboxId, kind, dueAtMs }: NewJob, nowMs: number): void {
    this.#run(
      `INSERT INTO jobs (sandbox_id, kind, due_at, scheduled_at) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET
         next_due_at = CASE WHEN worker IS NULL THEN NULL ELSE ?3 END,
         due_at = CASE WHEN worker IS NULL THEN ?3 ELSE due_at END,
         tries = CASE WHEN worker IS NULL THEN 0 ELSE tries END`,
      [sandboxId, kind, dueAtMs, nowMs],
    );
  }

  remove(sandboxId: string, kind: JobKind): void {
    this.#run("DELETE FROM jobs WHERE sandbox_id = ? AND kind = ? AND worker IS NULL", [sandboxId, kind]);
    this.#run("UPDATE jobs SET next_due_at = NULL WHERE sandbox_id = ? AND kind = ?", [sandboxId, kind]);
  }

  /** Leases the job that has been due longest to this worker, also one whose worker has died. */
  lease(worker: string, nowMs: number, leaseMs: number): LeasedJob | undefined {
    const row = this.#database
      .prepare(
        `UPDATE jobs SET worker = ?1, lease_until = ?2, tries = tries + 1
         WHERE rowid = (SELECT rowid FROM jobs
                        WHERE claimable_at <= ?3 ORDER BY claimable_at LIMIT 1)
         RETURNING sandbox_id, kind, tries`,
      )
      .get(worker, nowMs + leaseMs, nowMs) as
      | { sandbox_id: string; kind: JobKind; tries: number }
      | undefined;
    return row && { sandboxId: row.sandbox_id, kind: row.kind, tries: row.tries, worker };
  }

  renew(job: LeasedJob, untilMs: number): void {
    this.#settle(job, "UPDATE jobs SET lease_until = ?4", [untilMs]);
  }

  /** The job is done. One that was scheduled meanwhile takes its place. */
  complete(job: LeasedJob, nowMs: number): void {
    this.#inTransaction(() => {
      this.#settle(
        job,
        `UPDATE jobs SET due_at = next_due_at, next_due_at = NULL, tries = 0, worker = NULL, scheduled_at = ?4,
           last_error = NULL`,
        [nowMs],
        "AND next_due_at IS NOT NULL",
      );
      this.#settle(job, "DELETE FROM jobs");
    });
  }

  /** The job waits again. `failure`: why the try failed; without it the try does not count. */
  postpone(job: LeasedJob, dueAtMs: number, failure?: string): void {
    this.#settle(
      job,
      `UPDATE jobs SET due_at = coalesce(next_due_at, ?4), next_due_at = NULL, worker = NULL, last_error = ?5,
         tries = ?6`,
      [dueAtMs, failure ?? null, failure === undefined ? 0 : job.tries],
    );
  }

  /** Moves the job to the dead letters. */
  bury(job: LeasedJob, nowMs: number, failure: string): void {
    this.#inTransaction(() => {
      const hasLease = this.#settle(job, "UPDATE jobs SET last_error = ?4", [failure]) > 0;
      if (!hasLease) return;
      this.#run(
        `INSERT OR REPLACE INTO dead_jobs (sandbox_id, kind, due_at, scheduled_at, tries, last_error)
         SELECT sandbox_id, kind, ?3, scheduled_at, tries, last_error FROM jobs WHERE sandbox_id = ?1 AND kind = ?2`,
        [job.sandboxId, job.kind, nowMs],
      );
      this.complete(job, nowMs);
    });
  }

  /** Makes a dead letter due again. False if there is none. */
  revive(sandboxId: string, kind: JobKind, nowMs: number): boolean {
    return this.#inTransaction(() => {
      const isDead =
        this.#run("DELETE FROM dead_jobs WHERE sandbox_id = ? AND kind = ?", [sandboxId, kind]) > 0;
      if (isDead) this.put({ sandboxId, kind, dueAtMs: nowMs }, nowMs);
      return isDead;
    });
  }

  /** When the next job is due, or the next lease ends. */
  nextDueMs(): number | undefined {
    const row = this.#database.prepare("SELECT min(claimable_at) AS at FROM jobs").get() as {
      at: number | null;
    };
    return row.at ?? undefined;
  }

  list(sandboxId?: string): JobListing[] {
    const where = sandboxId === undefined ? "" : "WHERE sandbox_id = ?1";
    const rows = this.#database
      .prepare(
        `SELECT * FROM (SELECT sandbox_id, kind, due_at, scheduled_at, tries, last_error,
           CASE WHEN worker IS NULL THEN 'waiting' ELSE 'running' END AS state FROM jobs ${where}
         UNION ALL
         SELECT sandbox_id, kind, due_at, scheduled_at, tries, last_error, 'dead' FROM dead_jobs ${where})
         ORDER BY state = 'dead', due_at`,
      )
      .all(...(sandboxId === undefined ? [] : [sandboxId])) as unknown as Row[];
    return rows.map(toListing);
  }

  /** Only if the worker still has the lease: a worker that was taken for dead changes nothing. */
  #settle(job: LeasedJob, change: string, values: (string | number | null)[] = [], and = ""): number {
    const condition = `WHERE sandbox_id = ?1 AND kind = ?2 AND worker = ?3 ${and}`;
    return this.#run(`${change} ${condition}`, [job.sandboxId, job.kind, job.worker, ...values]);
  }

  #run(sql: string, parameters: (string | number | null)[]): number {
    return Number(this.#database.prepare(sql).run(...parameters).changes);
  }

  #inTransaction<Result>(work: () => Result): Result {
    if (this.#database.isTransaction) return work();
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}

interface Row {
  sandbox_id: string;
  kind: JobKind;
  due_at: number;
  scheduled_at: number;
  tries: number;
  last_error: string | null;
  state: JobListing["state"];
}

function toListing(row: Row): JobListing {
  return {
    sandboxId: row.sandbox_id,
    kind: row.kind,
    state: row.state,
    tries: row.tries,
    dueAt: new Date(row.due_at).toISOString(),
    scheduledAt: new Date(row.scheduled_at).toISOString(),
    ...(row.last_error === null ? {} : { lastError: row.last_error }),
  };
}

/** Rises with every change of the tables. */
export const SCHEMA_VERSION = 1;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS jobs (
  sandbox_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  scheduled_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  worker TEXT,
  lease_until INTEGER,
  next_due_at INTEGER,
  claimable_at INTEGER AS (CASE WHEN worker IS NULL THEN due_at ELSE lease_until END) VIRTUAL,
  PRIMARY KEY (sandbox_id, kind)
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_by_time ON jobs (claimable_at);
CREATE TABLE IF NOT EXISTS dead_jobs (
  sandbox_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  scheduled_at INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  last_error TEXT,
  PRIMARY KEY (sandbox_id, kind)
) STRICT;
`;
