import { AtollError } from "@atoll/sandbox";
import type * as BullMQ from "bullmq";
import {
  type JobKind,
  type JobListing,
  type JobQueue,
  JOB_KINDS,
  QUEUE_DEFAULTS,
  type QueueOptions,
} from "./contract.ts";
import { type StoredJob, StoredJobs, toIsoTime } from "./stored-job.ts";

export interface BullQueueOptions extends QueueOptions {
  redisUrl: string;
  /** Servers with the same name share their jobs. Default: `atoll-lifecycle`. */
  name?: string;
  /** Shared by the servers that share the jobs: jobs that were not signed with it are not run. */
  secret?: Uint8Array;
  onProblem?: (error: unknown) => void;
}

type BullJob = BullMQ.Job<StoredJob>;

const MAX_DEAD_LETTERS = 1000;
const CLOSE_TIMEOUT_MS = 5000;
const REPLY_TIMEOUT_MS = 3000;
const MAX_ERROR_CHARS = 2000;
const STATES = ["delayed", "waiting", "active", "failed"] as const;
type State = (typeof STATES)[number];

/** Jobs that several servers share, on Redis. */
export async function openBullQueue(options: BullQueueOptions): Promise<JobQueue> {
  const { maxTries, backOffMs, leaseMs, concurrency } = { ...QUEUE_DEFAULTS, ...options };
  const { redisUrl, name = "atoll-lifecycle", onProblem = () => {} } = options;
  const [{ Queue, Worker, DelayedError }, { Redis }] = await Promise.all([
    import("bullmq"),
    import("ioredis"),
  ]);
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  connection.on("error", onProblem);
  const stored = new StoredJobs(options.secret);
  const queue = new Queue<StoredJob>(name, { connection });
  queue.on("error", onProblem);
  let worker: BullMQ.Worker<StoredJob> | undefined;
  const running = new Set<Promise<unknown>>();
  const scheduling = new Set<Promise<unknown>>();
  const track = async <Result>(job: Promise<Result>, group: Set<Promise<unknown>>): Promise<Result> => {
    group.add(job);
    try {
      return await job;
    } finally {
      group.delete(job);
    }
  };

  const add = async ({ sandboxId, kind }: Omit<StoredJob, "proof">, dueAtMs: number): Promise<void> => {
    const id = keyOf(sandboxId, kind);
    await queue.add(kind, stored.write({ sandboxId, kind }), {
      delay: Math.max(0, Math.ceil(dueAtMs - Date.now())),
      attempts: maxTries,
      backoff: { type: "custom" },
      deduplication: { id, replace: true, keepLastIfActive: true },
      removeOnComplete: true,
      removeOnFail: { count: MAX_DEAD_LETTERS },
      stackTraceLimit: 0,
    });
  };

  const removeWaiting = async (sandboxId: string, kind: JobKind): Promise<void> => {
    const id = keyOf(sandboxId, kind);
    await connection.del(queue.toKey(`dn:${id}`));
    const jobId = await queue.getDeduplicationJobId(id);
    if (jobId !== null) await queue.remove(jobId);
  };

  /** BullMQ appends a counter of 12 bits to the time. */
  const dueAtMs = async (job: BullJob, state: State): Promise<number> => {
    if (state === "failed") return job.finishedOn ?? job.timestamp;
    const score = state === "delayed" && (await connection.zscore(queue.toKey("delayed"), job.id ?? ""));
    return score ? Math.floor(Number(score) / 4096) : job.timestamp + job.delay;
  };

  /** Leaves out jobs that are removed meanwhile, and those that no server signed. */
  const readJobs = async (state: State): Promise<BullJob[]> => {
    const jobs = await queue.getJobs([state]).catch((cause: unknown) => {
      throw cause instanceof SyntaxError ? unreadableError(cause) : cause;
    });
    return jobs.filter((job) => stored.read(job?.data));
  };

  const listAll = async (): Promise<JobListing[]> => {
    const found: JobListing[] = [];
    for (const state of STATES) {
      const jobs = await readJobs(state);
      for (const job of jobs) found.push(toListing(job, state, await dueAtMs(job, state)));
    }
    return found;
  };

  /** Does not read the waiting jobs of other sandboxes: there is one for every thread. */
  const listSandbox = async (sandboxId: string): Promise<JobListing[]> => {
    const found: JobListing[] = [];
    for (const state of ["active", "failed"] as const) {
      const jobs = (await readJobs(state)).filter((job) => job.data.sandboxId === sandboxId);
      for (const job of jobs) found.push(toListing(job, state, await dueAtMs(job, state)));
    }
    for (const kind of JOB_KINDS) {
      const jobId = await queue.getDeduplicationJobId(keyOf(sandboxId, kind));
      const job = jobId === null ? undefined : await queue.getJob(jobId);
      const state = await job?.getState();
      if (job && stored.read(job.data) && (state === "delayed" || state === "waiting"))
        found.push(toListing(job, state, await dueAtMs(job, state)));
    }
    return found;
  };

  return {
    schedule: ({ dueAtMs, ...data }) => track(add(data, dueAtMs), scheduling),
    async cancel(sandboxId, kinds = JOB_KINDS) {
      for (const kind of kinds) await removeWaiting(sandboxId, kind);
    },
    async list({ sandboxId } = {}) {
      const found = await rejectIfUnavailable(sandboxId === undefined ? listAll() : listSandbox(sandboxId));
      return withoutOlderDead(found.toSorted(byStateAndTime));
    },
    async revive(sandboxId, kind) {
      const dead = (await readJobs("failed")).filter(
        ({ data }) => data.sandboxId === sandboxId && data.kind === kind,
      );
      for (const job of dead) await job.remove();
      if (dead.length > 0) await add({ sandboxId, kind }, Date.now());
      return dead.length > 0;
    },
    async start(work) {
      worker = new Worker<StoredJob>(
        name,
        async (job, token) => {
          const verified = stored.read(job.data);
          if (!verified) return onProblem(unsignedError());
          const outcome = await track(work({ ...verified, tries: job.attemptsMade + 1 }), running);
          if (!outcome) return;
          await job.moveToDelayed(outcome.againAtMs, token);
          throw new DelayedError();
        },
        {
          connection,
          concurrency,
          lockDuration: leaseMs,
          stalledInterval: leaseMs,
          maxStalledCount: maxTries - 1,
          settings: { backoffStrategy: (failedTries) => backOffMs(Math.min(failedTries, maxTries)) },
        },
      );
      worker.on("error", onProblem);
      await worker.waitUntilReady();
    },
    async close() {
      await settlesWithin(Promise.allSettled(scheduling), CLOSE_TIMEOUT_MS);
      const closing = Promise.all([worker?.close(), queue.close()]).catch(onProblem);
      await Promise.allSettled(running);
      // Without Redis it never closes.
      if (!(await settlesWithin(closing, CLOSE_TIMEOUT_MS))) void worker?.disconnect().catch(onProblem);
      connection.disconnect();
    },
  };
}

function keyOf(sandboxId: string, kind: JobKind): string {
  return `${kind}.${sandboxId}`;
}

function toListing(job: BullJob, state: State, dueAtMs: number): JobListing {
  return {
    sandboxId: job.data.sandboxId,
    kind: job.data.kind,
    state: state === "failed" ? "dead" : state === "active" ? "running" : "waiting",
    tries: Math.max(0, Math.trunc(state === "active" ? job.attemptsMade + 1 : job.attemptsMade) || 0),
    dueAt: toIsoTime(dueAtMs),
    scheduledAt: toIsoTime(job.timestamp),
    ...(job.failedReason ? { lastError: String(job.failedReason).slice(0, MAX_ERROR_CHARS) } : {}),
  };
}

function byStateAndTime(one: JobListing, other: JobListing): number {
  const difference = Number(one.state === "dead") - Number(other.state === "dead");
  return difference || one.dueAt.localeCompare(other.dueAt);
}

function unsignedError(): AtollError {
  return new AtollError(
    "permission_denied",
    "A job in Redis was not written by a server of this installation. It is not run.",
  );
}

function unreadableError(cause: unknown): AtollError {
  const message = "Redis holds jobs that cannot be read and that no server of this installation wrote.";
  return new AtollError("unavailable", message, { cause });
}

/** Without it, a call would wait until the connection to Redis is back. */
async function rejectIfUnavailable<Result>(reply: Promise<Result>): Promise<Result> {
  reply.catch(() => {});
  if (await settlesWithin(reply, REPLY_TIMEOUT_MS)) return reply;
  throw new AtollError("unavailable", "Redis, which stores the jobs, does not respond.");
}

/** Of several dead letters of one job, only the latest counts. */
function withoutOlderDead(listed: readonly JobListing[]): JobListing[] {
  const latest = new Map(
    listed.filter(({ state }) => state === "dead").map((job) => [keyOf(job.sandboxId, job.kind), job]),
  );
  return listed.filter((job) => job.state !== "dead" || latest.get(keyOf(job.sandboxId, job.kind)) === job);
}

async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
