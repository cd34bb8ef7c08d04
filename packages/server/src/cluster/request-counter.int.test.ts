import { expect, onTestFinished, test } from "vitest";
import { RedisServer } from "../../../../tests/support/redis-server.ts";
import { makeTestServer } from "../http/test-server.harness.ts";
import { connectRedis } from "./redis.ts";
import { createRequestCounter } from "./request-counter.ts";

test("requests of all servers are counted together; without Redis each counts its own", async () => {
  await using server = await RedisServer.start();
  const redis = await connectRedis({ url: server.url });
  onTestFinished(() => redis.disconnect());
  const requestCounter = createRequestCounter(redis);
  const config = { rateLimit: { windowMs: 600_000, max: 3 } };
  const make = () => makeTestServer(onTestFinished, { config, app: { requestCounter } });
  const [one, other] = await Promise.all([make(), make()]);
  const statuses = [];
  for (const { ask } of [one, other, one, other]) statuses.push((await ask("/threads")).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  const refused = await one.ask("/threads");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  expect((await one.ask("/healthz")).status).toBe(200);
  await server.kill();
  const alone = [];
  for (const { ask } of [one, other, one, other, one, other, one]) alone.push((await ask("/threads")).status);
  expect(alone).toEqual([200, 200, 200, 200, 200, 200, 429]);
});

test("a window ends and the next one begins", async () => {
  await using server = await RedisServer.start();
  const redis = await connectRedis({ url: server.url });
  onTestFinished(() => redis.disconnect());
  const count = createRequestCounter(redis);
  expect(await count("a", 100)).toMatchObject({ count: 1 });
  await expect.poll(async () => (await count("a", 100)).count, { interval: 150 }).toBe(1);
  // A counter that lost its end would never come back to 1.
  await redis.set("atoll:rate:b", 7);
  const { count: counted, endsInMs } = await count("b", 100);
  expect([counted, endsInMs]).toEqual([8, 100]);
});
