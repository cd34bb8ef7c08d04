import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RedisServer, whyNoRedis } from "../../../../tests/support/redis-server.ts";
import { describeIf } from "../../../../tests/support/requirements.ts";
import { openBullQueue } from "./bull-queue.ts";
import { describeQueue } from "../../../../tests/support/lifecycle/queue-suite.ts";

describeIf({ suite: "the queue on Redis", missing: whyNoRedis(), isRequired: true }, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  describeQueue({
    title: "BullMQ",
    open: (name, options) => openBullQueue({ redisUrl: redis.url, name, ...options }),
    async leaveRunning(name, job) {
      const module = new URL("bull-queue.ts", import.meta.url).href;
      const args = [
        "--input-type=module",
        "--eval",
        RUN_AND_HANG,
        module,
        redis.url,
        name,
        JSON.stringify(job),
      ];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "close");
    },
  });

  it("runs and lists only jobs that were signed with its secret", async () => {
    const name = "forged";
    const [secret, other] = [randomBytes(32), randomBytes(32)];
    const done: string[] = [];
    const problems: unknown[] = [];
    const onProblem = (error: unknown) => void problems.push(error);
    const queue = await openBullQueue({ redisUrl: redis.url, name, secret, onProblem });
    const forgers = [
      await openBullQueue({ redisUrl: redis.url, name, secret: other }),
      await openBullQueue({ redisUrl: redis.url, name }),
    ];
    const ids = ["victim", "../x", "", { toString: "x" }, null, 7] as string[];
    for (const forger of forgers)
      for (const sandboxId of ids)
        await forger.schedule({ sandboxId, kind: "delete", dueAtMs: Date.now() }).catch(() => {});
    await queue.schedule({ sandboxId: "known", kind: "evict", dueAtMs: Date.now() });
    expect((await queue.list()).map(({ sandboxId }) => sandboxId)).toEqual(["known"]);
    await queue.start(async ({ sandboxId }) => void done.push(sandboxId));
    const isLeft = () =>
      ["wait", "active"].reduce(
        (sum, list) => sum + Number(redis.command("LLEN", `bull:${name}:${list}`)),
        0,
      );
    await expect.poll(isLeft).toBe(0);
    expect(done).toEqual(["known"]);
    expect(problems.map(String).join()).toMatch(/not written by a server/);
    await Promise.all([queue, ...forgers].map((each) => each.close()));
  });

  it("reports jobs that are damaged in Redis, and runs the others", async () => {
    const name = "damaged";
    const queue = await openBullQueue({ redisUrl: redis.url, name, secret: randomBytes(32) });
    await queue.schedule({ sandboxId: "known", kind: "delete", dueAtMs: Date.now() + 3_600_000 });
    const [id = ""] = redis.command("ZRANGE", `bull:${name}:delayed`, "0", "-1").split("\n");
    redis.command("HSET", `bull:${name}:${id}`, "timestamp", "x", "atm", "NaN", "failedReason", "[]");
    redis.command("ZADD", `bull:${name}:delayed`, "inf", id);
    expect(await queue.list()).toMatchObject([{ sandboxId: "known", tries: 0, state: "waiting" }]);
    redis.command("HSET", `bull:${name}:${id}`, "data", "{");
    await expect(queue.list()).rejects.toMatchObject({ code: "unavailable" });
    redis.command("DEL", `bull:${name}:${id}`);
    const done = Promise.withResolvers<string>();
    await queue.start(async ({ sandboxId }) => done.resolve(sandboxId));
    await queue.schedule({ sandboxId: "next", kind: "evict", dueAtMs: Date.now() });
    expect(await done.promise).toBe("next");
    await queue.close();
  });

  it("continues after an outage of Redis", async () => {
    const done = Promise.withResolvers<string>();
    const queue = await openBullQueue({ redisUrl: redis.url, name: "outage" });
    await queue.start(async ({ sandboxId }) => done.resolve(sandboxId));
    await queue.schedule({ sandboxId: "kept", kind: "delete", dueAtMs: Date.now() + 3_600_000 });
    await redis.kill();
    const scheduled = queue.schedule({ sandboxId: "during", kind: "evict", dueAtMs: Date.now() });
    await redis.restart();
    await scheduled;
    expect(await done.promise).toBe("during");
    expect(await queue.list({ sandboxId: "kept" })).toMatchObject([{ kind: "delete", state: "waiting" }]);
    await queue.close();
  });
});

const RUN_AND_HANG = `
const [module, redisUrl, name, job] = process.argv.slice(1);
const { openBullQueue } = await import(module);
const queue = await openBullQueue({ redisUrl, name, leaseMs: 300 });
await queue.start(async () => { console.log("running"); await new Promise(() => {}); });
await queue.schedule({ ...JSON.parse(job), dueAtMs: Date.now() });
`;
