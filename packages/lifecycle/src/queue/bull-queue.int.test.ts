import { spawn } from "node:child_process";
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
    async leaveClaimed(name, job) {
      const module = new URL("bull-queue.ts", import.meta.url).href;
      const args = [
        "--input-type=module",
        "--eval",
        claimAndWait,
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

  it("goes on where it was when Redis was away", async () => {
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

const claimAndWait = `
const [module, redisUrl, name, job] = process.argv.slice(1);
const { openBullQueue } = await import(module);
const queue = await openBullQueue({ redisUrl, name, leaseMs: 300 });
await queue.start(async () => { console.log("claimed"); await new Promise(() => {}); });
await queue.schedule({ ...JSON.parse(job), dueAtMs: Date.now() });
`;
