import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { DataFolder } from "../support/data-folder.ts";
import { RedisServer, whyNoRedis } from "../support/redis-server.ts";
import { describeIf } from "../support/requirements.ts";
import { ThreadUser } from "../support/thread-user.ts";

describeIf({ suite: "one server", missing: whyNoRedis(), isRequired: true }, () => {
  it("with a Redis keeps its jobs and its rate limits there, and lives through an outage", async () => {
    await using redis = await RedisServer.start();
    await using folder = await DataFolder.create("redis-only");
    const server = await folder.start({
      env: { REDIS_URL: redis.url, ATOLL_MODEL: "built-in", RATE_LIMIT_MAX: "1000" },
    });
    const user = await ThreadUser.create(server.url);
    await user.ask("How many rows are there?");
    const keys = () => String(execFileSync("redis-cli", ["-u", redis.url, "keys", "*"])).split("\n");
    expect(keys().filter((key) => key.startsWith("atoll:rate:"))).toHaveLength(1);
    const jobs = async () =>
      (await (await fetch(`${server.url}/operator/jobs`)).json()) as { jobs: { thread_id: string }[] };
    expect((await jobs()).jobs.map(({ thread_id }) => thread_id)).toEqual([user.threadId]);
    expect(keys().filter((key) => key.startsWith("atoll:lease:"))).toEqual([]);

    await redis.kill();
    expect((await user.ask("How many rows are there?")).response).toMatch(/6[,.]?218/);
    const refused = await fetch(`${server.url}/operator/jobs`);
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: "unavailable" }]);
    // What it has forgotten is put in again.
    await redis.restartEmpty();
    await expect.poll(async () => (await jobs()).jobs.length).toBe(1);
  });

  it("with a database that others could share, and no Redis, is not started", async () => {
    await using folder = await DataFolder.create("no-redis");
    const starting = folder.start({ env: { DATABASE_URL: "postgres://localhost/atoll" } });
    await expect(starting).rejects.toThrow(/DATABASE_URL: it needs REDIS_URL too/);
  });

  it("with a Redis that is not there, says so", async () => {
    await using folder = await DataFolder.create("no-redis");
    const starting = folder.start({ env: { REDIS_URL: "redis://127.0.0.1:1" } });
    await expect(starting).rejects.toThrow(/Redis does not answer .*Start it, or correct REDIS_URL/);
  });
});
