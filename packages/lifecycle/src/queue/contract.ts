/** Delayed jobs that outlive their server. There is at most one for a sandbox and kind. */
export interface JobQueue {
  /** Puts a job in, or gives the waiting one another time. While one runs, the next follows it. */
  schedule(job: NewJob): Promise<void>;
  /** Takes waiting jobs out; one that runs ends by itself. Without kinds: all of the sandbox. */
  cancel(sandboxId: string, kinds?: readonly JobKind[]): Promise<void>;
  /** Waiting and running jobs, then the dead letters. */
  list(options?: { sandboxId?: string }): Promise<readonly JobListing[]>;
  /** Gives a dead letter all its tries again. False when there is none. */
  revive(sandboxId: string, kind: JobKind): Promise<boolean>;
  /** Works off what is due, from now on. Called once. */
  start(work: JobWork): Promise<void>;
  /** Waits for the jobs that run. Those that wait stay for the next server. */
  close(): Promise<void>;
}

export const jobKinds = ["pause", "evict", "terminate", "delete"] as const;
export type JobKind = (typeof jobKinds)[number];

export interface NewJob {
  readonly sandboxId: string;
  readonly kind: JobKind;
  readonly dueAtMs: number;
}

export interface Job {
  readonly sandboxId: string;
  readonly kind: JobKind;
  /** 1 at first. */
  readonly tries: number;
}

/** A job that throws is tried again later; one that finds its time has not come is postponed, which is no failure. */
export type JobWork = (job: Job) => Promise<{ readonly againAtMs: number } | void>;

export interface JobListing extends Job {
  /** `dead`: given up after the last try. */
  readonly state: "waiting" | "running" | "dead";
  readonly dueAt: string;
  readonly scheduledAt: string;
  readonly lastError?: string;
}

export interface QueueOptions {
  /** Before a failing job is given up. Default: 5. */
  maxTries?: number;
  /** How long to wait after this many failed tries. Default: 60 s, doubled each time. */
  backOffMs?: (failedTries: number) => number;
  /** A worker that has not been heard of for this long is dead, and its job is another's. Default: 60 s. */
  leaseMs?: number;
  /** Jobs at the same time. Default: 4. */
  concurrency?: number;
}

export const queueDefaults: Required<QueueOptions> = {
  maxTries: 5,
  backOffMs: (failedTries) => 60_000 * 2 ** (failedTries - 1),
  leaseMs: 60_000,
  concurrency: 4,
};
