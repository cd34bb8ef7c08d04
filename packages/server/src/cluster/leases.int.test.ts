import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { RedisServer } from "../../../../tests/support/redis-server.ts";
import type { ClusterTimes, LeaseKey } from "./contract.ts";
import { ElsewhereError } from "./elsewhere-error.ts";
import { type Member, makeMember } from "./member.harness.ts";

let redis: RedisServer;
let admin: Member;

beforeAll(async () => {
  redis = await RedisServer.start();
  admin = await makeMember(redis.url);
});
beforeEach(async () => {
  await admin.redis.flushall();
  await admin.redis.set("atoll:since", 0);
});
afterAll(async () => {
  admin.die();
  await redis[Symbol.asyncDispose]();
});

async function join(times: Partial<ClusterTimes> = {}, options: Parameters<typeof makeMember>[1] = {}) {
  const member = await makeMember(redis.url, { ...options, times });
  onTestFinished(() => member.die());
  return member;
}

const thread: LeaseKey = "thread:one";

test("of many who want a thread at once one gets it, and the others are told who", async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => join()));
  const results = await Promise.allSettled(
    members.flatMap(({ leases }) => [leases.acquire(thread), leases.acquire(thread)]),
  );
  const owner = members.find(({ leases }) => leases.has(thread));
  expect(members.filter(({ leases }) => leases.has(thread))).toHaveLength(1);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ server: { id: owner?.id } });
  expect(owner?.history).toEqual(["take thread:one"]);
});

test("a thread of a dead server is another's, with a higher fence, and one that is not there is nobody's", async () => {
  const first = await join();
  const second = await join({ beatMs: 20 }, { unknown: ["missing"] });
  const before = await first.leases.acquire(thread);
  await expect(second.leases.acquire(thread)).rejects.toThrow(ElsewhereError);
  await first.expire();
  await vi.waitFor(() => expect(second.gone.flatMap(({ dead }) => dead)).toContain(first.id), 90_000);
  const after = await second.leases.acquire(thread);
  expect(after?.fence).toBeGreaterThan(before?.fence ?? Infinity);
  expect(await second.table.heldBy(first.id)).toEqual([]);
  expect(await second.table.forget(first.id)).toBe(true);
  expect(await second.table.forget(second.id)).toBe(false);
  expect(await second.leases.acquire("thread:missing")).toBeUndefined();
  expect(await second.table.heldBy(second.id)).toEqual([thread]);
});

test("a server that leaves gives everything back at once, and the others hear of it", async () => {
  const [first, second] = [await join(), await join({ beatMs: 20 })];
  await first.leases.acquire(thread);
  await first.leases.acquire("sandbox:two");
  await vi.waitFor(() => expect(second.membership.living).toContain(first.id), 90_000);
  await first.membership.leave();
  await vi.waitFor(() => expect(second.gone.flatMap(({ left }) => left)).toEqual([first.id]), 90_000);
  expect(await second.leases.acquire(thread)).toBeDefined();
  expect(
    (await second.table.servers()).map(({ id, threads, sandboxes }) => [id, threads, sandboxes]),
  ).toEqual([[second.id, 1, 0]]);
});

test("an idle thread is given back, one that is used or busy is not", async () => {
  let isIdle = false;
  const member = await join({ idleMs: 0 }, { isIdle: () => isIdle });
  await member.leases.acquire(thread);
  const end = member.leases.use(thread);
  await member.leases.releaseIdle();
  isIdle = true;
  await member.leases.releaseIdle();
  expect(member.history).toEqual(["take thread:one"]);
  end();
  const leaving = member.leases.releaseIdle();
  // Who comes while it leaves gets it anew.
  const again = member.leases.acquire(thread);
  await leaving;
  expect(await again).toBeDefined();
  expect(member.history).toEqual(["take thread:one", "idle thread:one", "take thread:one"]);
});

test("after Redis was emptied every server registers what it has, and what another took is lost", async () => {
  const first = await join({ beatMs: 600_000 });
  const second = await join({ beatMs: 600_000 });
  await first.leases.acquire(thread);
  await first.leases.acquire("thread:mine");
  await admin.redis.flushall();
  await admin.redis.set("atoll:since", 0);
  // The second does not wait for the first to say what it has.
  await second.membership.beat();
  await second.leases.acquire(thread);
  await first.membership.beat();
  await vi.waitFor(() => expect(first.history).toContain("lost thread:one"), 90_000);
  expect(await admin.table.locate("thread:mine")).toMatchObject({ id: first.id });
  expect(await admin.table.locate(thread)).toMatchObject({ id: second.id });
  expect([first.leases.has(thread), first.leases.has("thread:mine")]).toEqual([false, true]);
});

test("an emptied Redis gives nothing away before the servers have had time to say what they have", async () => {
  const first = await join({ beatMs: 600_000 });
  const second = await join({ beatMs: 600_000, settleMs: 1000 });
  await first.leases.acquire(thread);
  await admin.redis.flushall();
  await second.membership.beat();
  await Promise.all([
    expect(second.leases.acquire(thread)).rejects.toMatchObject({ server: { id: first.id } }),
    first.membership.beat(),
  ]);
  expect(await second.leases.acquire("thread:new", { isNew: true })).toBeDefined();
});

test("a server that slept past its lease finds out what it lost before it goes on", async () => {
  const first = await join({ ttlMs: 100, beatMs: 10 });
  const second = await join();
  await first.leases.acquire(thread);
  await first.leases.acquire("thread:kept");
  // The event loop stands still, as it does for a stopped process, while another server takes the thread.
  const until = performance.now() + 300;
  while (performance.now() < until);
  execFileSync("redis-cli", ["-u", redis.url, "set", `atoll:lease:${thread}`, second.id]);
  const [lost, kept] = await Promise.allSettled([
    first.leases.acquire(thread),
    first.leases.acquire("thread:kept"),
  ]);
  expect(lost).toMatchObject({ reason: { server: { id: second.id } } });
  expect(kept).toMatchObject({ status: "fulfilled" });
});

test("while Redis is away a server keeps what it has and takes nothing; when it is back, all goes on", async () => {
  await using other = await RedisServer.start();
  const member = await makeMember(other.url, { times: { ttlMs: 2000, beatMs: 50 } });
  onTestFinished(() => member.die());
  await member.leases.acquire(thread);
  await other.kill();
  await vi.waitFor(() => expect(member.membership.isKnown).toBe(false), 90_000);
  expect(await member.leases.acquire(thread)).toBeDefined();
  await expect(member.leases.acquire("thread:other")).rejects.toMatchObject({ code: "unavailable" });
  await other.restart();
  await vi.waitFor(() => expect(member.membership.isKnown).toBe(true), 90_000);
  expect(await member.leases.acquire("thread:other")).toBeDefined();
  expect(member.history.filter((entry) => entry.startsWith("lost"))).toEqual([]);
});

test("what may have been another's meanwhile is asked of the database, whoever has the lease now", async () => {
  const first = await join({ ttlMs: 100, beatMs: 600_000 });
  await first.leases.acquire(thread);
  const before = first.verified.count;
  await vi.waitFor(async () => expect(await admin.table.locate(thread)).toBeUndefined(), 90_000);
  // Another took it and died: the lease alone says that all is as it was.
  await first.membership.beat();
  expect([first.leases.has(thread), first.verified.count]).toEqual([true, before + 1]);
});

test("a request that was sent here by mistake takes nothing over", async () => {
  const [first, second] = [await join(), await join()];
  await expect(first.leases.acquire(thread, { isForwarded: true })).rejects.toMatchObject({
    server: undefined,
  });
  await second.leases.acquire(thread);
  await expect(first.leases.acquire(thread, { isForwarded: true })).rejects.toMatchObject({
    server: { id: second.id },
  });
  expect(await second.leases.acquire(thread, { isForwarded: true })).toBeDefined();
});
