/** Delayed jobs that outlive their server. There is at most one per sandbox and kind. */
export interface JobQueue {
  /** Adds a job, or changes the time of the waiting one. If one is running, the new one follows it. */
  schedule(job: NewJob): Promise<void>;
  /** Removes waiting jobs; a running one finishes. Default: jobs of every kind. */
  cancel(sandboxId: string, kinds?: readonly JobKind[]): Promise<void>;
  /** Waiting and running jobs, then the dead letters. */
  list(options?: { sandboxId?: string }): Promise<readonly JobListing[]>;
  /** Gives a dead letter all its tries again. False if there is none. */
  revive(sandboxId: string, kind: JobKind): Promise<boolean>;
  /** Runs jobs as they become due. Called once. */
  start(work: JobWork): Promise<void>;
  /** Waits for running jobs. Waiting ones stay for the next server. */
  close(): Promise<void>;
}

export const JOB_KINDS = ["pause", "evict", "terminate", "delete"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface NewJob {
  readonly sandboxId: string;
  readonly kind: JobKind;
  readonly dueAtMs: number;
}

export interface Job {
  readonly sandboxId: string;
  readonly kind: JobKind;
  /** 1 the first time. */
  readonly tries: number;
}

/** A job that throws is tried again later. `againAtMs` postpones the job, which does not count as a failure. */
export type JobWork = (job: Job) => Promise<{ readonly againAtMs: number } | void>;

export interface JobListing extends Job {
  /** `dead`: its last try failed. */
  readonly state: "waiting" | "running" | "dead";
  readonly dueAt: string;
  readonly scheduledAt: string;
  readonly lastError?: string;
}

export interface QueueOptions {
  /** After this many tries a failing job is dead. Default: 5. */
  maxTries?: number;
  /** How long to wait after this many failed tries. Default: 60 s, doubled each time. */
  backOffMs?: (failedTries: number) => number;
  /** A worker that does not renew its lease for this long is dead, and another worker takes the job. Default: 60 s. */
  leaseMs?: number;
  /** How many jobs run at the same time. Default: 4. */
  concurrency?: number;
}

export const QUEUE_DEFAULTS: Required<QueueOptions> = {
  maxTries: 5,
  backOffMs: (failedTries) => 60_000 * 2 ** (failedTries - 1),
  leaseMs: 60_000,
  concurrency: 4,
};
