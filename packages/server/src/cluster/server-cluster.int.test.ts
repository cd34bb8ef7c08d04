import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PostgresServer, whyNoPostgres } from "../../../../tests/support/postgres-server.ts";
import { RedisServer, whyNoRedis } from "../../../../tests/support/redis-server.ts";
import { describeIf } from "../../../../tests/support/requirements.ts";
import { echo, makeHarness } from "../threads/threads.harness.ts";
import { openStore } from "../store/open.ts";
import { makeDataDir } from "../store/temporary-store.harness.ts";
import { connectRedis } from "./redis.ts";
import { createServerCluster } from "./server-cluster.ts";

const missing = whyNoPostgres() ?? whyNoRedis();

describeIf({ suite: "a thread of several servers", missing, isRequired: true }, () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([PostgresServer.start(), RedisServer.start()]);
  });
  afterAll(() => Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]));

  it("is given back with its copy when nothing goes on in it, and is the next one's who asks", async () => {
    const options = await shared();
    const [first, second] = await Promise.all([join("first", options), join("second", options)]);
    await first.store.threads.create({ id: "thread_a", fileIds: [] });
    await first.ask("thread_a", "one");

    first.state = "warm";
    await first.cluster.sweep();
    expect(first.store.ownership.holds("thread_a")).toBe(true);
    first.state = "cold";
    const reading = new AbortController();
    const reader = first.store.log.follow("thread_a", { after: 0, signal: reading.signal });
    const events = reader[Symbol.asyncIterator]();
    await events.next();
    await first.cluster.sweep();
    expect(first.store.ownership.holds("thread_a")).toBe(true);
    reading.abort();
    await events.return?.();

    const log = first.store.log.read("thread_a");
    await expect.poll(() => first.runner.isIdle("thread_a")).toBe(true);
    // One that is not marked as settled yet is taken over by the sweep that gives it back.
    await expect.poll(() => first.store.ownership.unsettledOwners()).toEqual([]);
    await first.cluster.sweep();
    expect(first.store.ownership.holds("thread_a")).toBe(false);
    expect(await second.cluster.isElsewhere("thread:thread_a")).toBe(false);
    expect(await second.cluster.directory.find("thread:thread_a")).toEqual({ kind: "here" });
    expect(second.store.log.read("thread_a")).toEqual(log);
    expect(await second.ask("thread_a", "two")).toMatchObject({ status: "completed" });
    expect(await first.cluster.directory.find("thread:thread_a")).toMatchObject({
      kind: "elsewhere",
      server: { id: "second" },
    });
  });

  it("that the database gave to another is let go, and can be had again", async () => {
    const options = await shared();
    const [first, second] = await Promise.all([join("first", options), join("second", options)]);
    await first.store.threads.create({ id: "thread_a", fileIds: [] });
    // Past every lease, as a defect would.
    await second.store.ownership.takeOver("thread_a");
    await expect(first.runner.submit("thread_a", { text: "one" })).rejects.toMatchObject({
      code: "not_owner",
    });
    await expect.poll(() => first.cluster.count().threads).toBe(0);
    expect(await first.cluster.directory.find("thread:thread_a")).toEqual({ kind: "here" });
    expect(await first.ask("thread_a", "two")).toMatchObject({ status: "completed" });
  });

  async function shared() {
    const admin = await connectRedis({ url: redis.url });
    await admin.flushall();
    admin.disconnect();
    return { databaseUrl: await postgres.createDatabase(), dataDir: await makeDataDir(onTestFinished) };
  }

  /** All of a server but its HTTP and its sandboxes. */
  async function join(serverId: string, { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }) {
    const connection = await connectRedis({ url: redis.url });
    const store = await openStore({
      dataDir,
      databaseUrl,
      serverId,
      beforeCreate: async (id) => void (await cluster.claim(`thread:${id}`, { isNew: true })),
      onLost: (id) => void cluster.lose(`thread:${id}`),
    });
    const harness = await makeHarness(onTestFinished, echo, { store });
    const server = { ...harness, state: "cold" as "warm" | "cold" };
    const cluster = createServerCluster({
      redis: connection,
      serverId,
      times: { ttlMs: 60_000, beatMs: 20_000, settleMs: 0, idleMs: 0, orphanTimeoutMs: 1000 },
      store,
      parts: () => ({
        runner: harness.runner,
        sandboxes: {
          state: () => server.state,
          release: async () => {},
          adopt: async () => ({ joined: [], removed: [], spared: [] }),
        },
        apiSandboxes: {
          isKnown: async () => false,
          isHeld: () => false,
          letGo: async () => {},
          adopt: async () => {},
        },
      }),
      onProblem: () => {},
    });
    await cluster.join("http://127.0.0.1:1");
    onTestFinished(async () => {
      await cluster.close();
      await cluster.leave();
    });
    return Object.assign(server, { cluster });
  }
});
