import { afterEach, describe, expect, it } from "vitest";
import type { Job, JobListing, JobQueue, JobWork, QueueOptions } from "@atoll/lifecycle";

export interface QueueSuite {
  readonly title: string;
  /** Opens the queue of that name as another server. */
  open(name: string, options?: QueueOptions): Promise<JobQueue>;
  /** Leaves a job of another server, which is killed while the job is running. */
  leaveRunning(name: string, job: { sandboxId: string; kind: "evict" }): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** The contract of every queue. Ids differ between tests, since jobs outlive them. */
export function describeQueue({ title, open, leaveRunning }: QueueSuite): void {
  describe(`${title}: delayed jobs`, () => {
    const opened: JobQueue[] = [];
    afterEach(async () => {
      for (const queue of opened.splice(0)) await queue.close();
    });
    const start = async (work: JobWork, options?: QueueOptions, name = "shared") => {
      const queue = await open(name, options);
      opened.push(queue);
      await queue.start(work);
      return queue;
    };
    const jobsOf = async (queue: JobQueue, sandboxId: string) =>
      (await queue.list({ sandboxId })).map(({ kind, state }) => `${kind} ${state}`);

    it("a due job runs once and is gone then", async () => {
      const done = collect();
      const queue = await start(done.work);
      await queue.schedule({ sandboxId: "due-now", kind: "evict", dueAtMs: Date.now() });
      await queue.schedule({ sandboxId: "due-later", kind: "evict", dueAtMs: Date.now() + HOUR_MS });
      expect(await done.next()).toEqual({ sandboxId: "due-now", kind: "evict", tries: 1 });
      await until(async () => (await jobsOf(queue, "due-now")).length === 0);
      expect(await jobsOf(queue, "due-later")).toEqual(["evict waiting"]);
      expect(done.count).toBe(1);
    });

    it("a sandbox has one job of a kind, due at the time scheduled last", async () => {
      const done = collect();
      const queue = await start(done.work);
      const schedule = (kind: "pause" | "delete", inMs: number) =>
        queue.schedule({ sandboxId: "only-one", kind, dueAtMs: Date.now() + inMs });
      await schedule("pause", HOUR_MS);
      await schedule("pause", 2 * HOUR_MS);
      await schedule("delete", 3 * HOUR_MS);
      const [pause, remove] = await queue.list({ sandboxId: "only-one" });
      expect([pause?.kind, remove?.kind]).toEqual(["pause", "delete"]);
      expect(Math.round((Date.parse(pause?.dueAt ?? "") - Date.now()) / 60_000)).toBe(120);
      await schedule("pause", 0);
      expect((await done.next()).kind).toBe("pause");
      await until(async () => (await queue.list({ sandboxId: "only-one" })).length === 1);
      expect(await jobsOf(queue, "only-one")).toEqual(["delete waiting"]);
    });

    it("a cancelled job does not run", async () => {
      const done = collect();
      const queue = await start(done.work);
      for (const kind of ["pause", "evict", "delete"] as const)
        await queue.schedule({ sandboxId: "cancelled", kind, dueAtMs: Date.now() + HOUR_MS });
      await queue.cancel("cancelled", ["pause"]);
      expect((await jobsOf(queue, "cancelled")).toSorted()).toEqual(["delete waiting", "evict waiting"]);
      await queue.cancel("cancelled");
      await queue.cancel("never-was");
      expect(await jobsOf(queue, "cancelled")).toEqual([]);
    });

    it("a job that postpones itself does not use up a try", async () => {
      let calls = 0;
      const done = collect();
      const queue = await start(async (job) => {
        calls++;
        if (calls === 1) return { againAtMs: Date.now() + 1 };
        return done.work(job);
      });
      await queue.schedule({ sandboxId: "postponed", kind: "pause", dueAtMs: Date.now() });
      expect(await done.next()).toEqual({ sandboxId: "postponed", kind: "pause", tries: 1 });
      expect(calls).toBe(2);
    });

    it("a job that is scheduled while it runs follows itself", async () => {
      const done = collect();
      const gate = Promise.withResolvers<void>();
      const queue = await start(async (job) => {
        await done.work(job);
        await gate.promise;
      });
      await queue.schedule({ sandboxId: "again", kind: "pause", dueAtMs: Date.now() });
      await done.next();
      expect(await jobsOf(queue, "again")).toContain("pause running");
      await queue.schedule({ sandboxId: "again", kind: "pause", dueAtMs: Date.now() });
      expect(done.count).toBe(1);
      gate.resolve();
      await done.next();
      await until(async () => (await queue.list({ sandboxId: "again" })).length === 0);
      expect(done.count).toBe(2);
    });

    it("a job that throws is retried, then becomes a dead letter, and can be revived", async () => {
      const tries: number[] = [];
      let isBroken = true;
      const delays: number[] = [];
      const backOffMs = (failedTries: number) => (delays.push(failedTries), 1);
      const queue = await start(
        async (job) => {
          tries.push(job.tries);
          if (isBroken) throw new Error("the disk is full");
        },
        { maxTries: 3, backOffMs },
      );
      await queue.schedule({ sandboxId: "failing", kind: "evict", dueAtMs: Date.now() });
      const dead = async (): Promise<JobListing | undefined> =>
        (await queue.list({ sandboxId: "failing" })).find(({ state }) => state === "dead");
      await until(async () => (await dead()) !== undefined);
      expect(await queue.list({ sandboxId: "failing" })).toMatchObject([
        { kind: "evict", state: "dead", tries: 3, lastError: "the disk is full" },
      ]);
      expect(tries).toEqual([1, 2, 3]);
      expect(delays).toEqual([1, 2]);
      isBroken = false;
      expect(await queue.revive("failing", "evict")).toBe(true);
      await until(async () => (await queue.list({ sandboxId: "failing" })).length === 0);
      expect(tries).toEqual([1, 2, 3, 1]);
      expect(await queue.revive("failing", "evict")).toBe(false);
    });

    it("a failed job waits 60 s by default", async () => {
      const queue = await start(async () => {
        throw new Error("broken");
      });
      await queue.schedule({ sandboxId: "backing-off", kind: "evict", dueAtMs: Date.now() });
      const waiting = async () => (await queue.list({ sandboxId: "backing-off" }))[0];
      await until(async () => (await waiting())?.lastError === "broken");
      const { dueAt = "", tries } = (await waiting()) ?? {};
      expect([Math.round((Date.parse(dueAt) - Date.now()) / 10_000), tries]).toEqual([6, 1]);
    });

    it("jobs survive a restart", async () => {
      const before = await open("shared");
      await before.schedule({ sandboxId: "surviving", kind: "delete", dueAtMs: Date.now() + HOUR_MS });
      await before.schedule({ sandboxId: "surviving", kind: "evict", dueAtMs: Date.now() });
      await before.close();
      const done = collect();
      const after = await start(done.work);
      expect((await done.next()).kind).toBe("evict");
      expect(await jobsOf(after, "surviving")).toContain("delete waiting");
    });

    it("of several servers, one runs each job", async () => {
      const done = collect();
      const queues = [await start(done.work), await start(done.work)];
      const ids = Array.from({ length: 20 }, (_, n) => `shared-${n}`);
      await Promise.all(
        ids.map((sandboxId, n) => queues[n % 2]?.schedule({ sandboxId, kind: "evict", dueAtMs: Date.now() })),
      );
      const seen: string[] = [];
      while (seen.length < ids.length) seen.push((await done.next()).sandboxId);
      expect(seen.toSorted()).toEqual(ids.toSorted());
      await until(
        async () => (await queues[0]?.list())?.every((job) => !job.sandboxId.startsWith("shared-")) ?? false,
      );
      expect(done.count).toBe(ids.length);
    });

    it("another worker takes over the job of a killed one", async () => {
      await leaveRunning("dying", { sandboxId: "left-behind", kind: "evict" });
      const done = collect();
      await start(done.work, { leaseMs: 300 }, "dying");
      expect((await done.next()).sandboxId).toBe("left-behind");
    });

    it("closing the queue waits for running jobs", async () => {
      const began = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      let isDone = false;
      const queue = await open("shared");
      await queue.start(async () => {
        began.resolve();
        await gate.promise;
        isDone = true;
      });
      await queue.schedule({ sandboxId: "closing", kind: "evict", dueAtMs: Date.now() });
      await began.promise;
      const closed = queue.close();
      gate.resolve();
      await closed;
      expect(isDone).toBe(true);
    });
  });
}

/** Hands jobs to the test, one by one. */
function collect() {
  const jobs: Job[] = [];
  const waiting: ((job: Job) => void)[] = [];
  let count = 0;
  return {
    async work(job: Job): Promise<void> {
      count++;
      const taker = waiting.shift();
      if (taker) taker(job);
      else jobs.push(job);
    },
    next: async (): Promise<Job> => jobs.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    get count() {
      return count;
    },
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  await expect.poll(condition, { interval: 5 }).toBe(true);
}
